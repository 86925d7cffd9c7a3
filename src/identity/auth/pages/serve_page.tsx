/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The steps of a page: cookie, form and its token, headers, and errors as pages. */
import type { Context as HonoContext, Hono } from "hono";
import { z } from "zod";
import { zValidator } from "@hono/zod-validator";
import { readAcceptedLanguage, type WrittenLanguage } from "../../../core/languages.ts";
import type { LimitStates, Policy } from "../../../core/rate_limits.ts";
import { formatTimestamp } from "../../../core/time.ts";
import type { Author } from "../../../db/commit.ts";
import { retrying } from "../../../db/commit.ts";
import type { Deps } from "../../../deps.ts";
import { findCallerAddress } from "../../../http/address.ts";
import { readText } from "../../../http/bodies.ts";
import { securityHeaders } from "../../../http/headers.ts";
import { asProblem } from "../../../http/problems.ts";
import { extractQuery, findOrigin } from "../../../http/request.ts";
import { handler, type Step } from "../../../http/steps/step.ts";
import {
  fitsForm,
  makeFormToken as tokenOfForm,
  newCookie,
  readSessionCookie,
  setCookie,
} from "../sessions.ts";
import { MessagePage } from "./pages.tsx";
import { PageRefusal } from "./refusal.ts";
import { renderIn } from "./words.tsx";

declare module "hono" {
  interface ContextVariableMap {
    browser: {
      readonly origin: string;
      /** The cookie that the browser sent; null without one. */
      readonly given: string | null;
      /** That cookie, or a new one. */
      readonly cookie: string;
    };
  }
}

/** Bytes. */
const formLimit = 64 * 1024;

export interface Visit extends Author {
  readonly request: Request;
  readonly origin: string;
  /** Returns the visitor's network address, by which failures are counted. */
  readonly address: () => string;
  readonly limitStates: LimitStates;
  readonly query: URLSearchParams;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The fields of a POST; empty for a GET. */
  readonly form: URLSearchParams;
  /** The visitor's cookie, sent with the answer when it is new. */
  readonly cookie: string;
  /** The token that forms on the page carry. */
  readonly token: string;
}

type Node = ReturnType<typeof MessagePage>;

export type PageAnswer =
  | {
    readonly status?: number;
    readonly page: Node;
    /** The language of the person; without it that of the browser. */
    readonly language?: WrittenLanguage | undefined;
    /** An origin to which the forms of the page may redirect. */
    readonly leadsTo?: string | undefined;
  }
  | {
    readonly location: string;
    /** The cookie to set; null deletes the cookie. */
    readonly cookie?: string | null;
  };

/** Adds a page, or the target of a form, to the app. `limits`: the policies of its failed attempts. */
export function servePage(
  app: Hono,
  deps: Deps,
  method: "GET" | "POST",
  path: string,
  run: (visit: Visit) => Promise<PageAnswer>,
  limits: readonly Policy[] = [],
): void {
  const posted = method === "POST";
  app.on(
    method,
    path,
    handler(deps, {
      path,
      limits,
      steps: [
        readBrowser(deps),
        limitAddress(deps),
        posted && readForm(deps),
        posted && form,
        posted && formToken(deps),
      ],
      respond: async (c) => respond(c, await runWithRetries(c, deps, run)),
      refuse: (c, error) => respondRefused(c, deps, error),
    }),
  );
}

/** Reads the visitor's cookie, or creates one. */
function readBrowser(deps: Deps): Step {
  return (c) => {
    const origin = findOrigin(c.req.raw, deps.config.publicUrl, deps.config.trustProxy);
    const given = readSessionCookie(c.req.raw.headers, origin);
    c.set("browser", { origin, given, cookie: given ?? newCookie() });
  };
}

/** Counts the request for its network address. Throws 429 beyond the limit. */
function limitAddress({ callLimit, clock, config }: Deps): Step {
  return (c) => {
    const address = findCallerAddress(c.req.raw, c.env, config.trustProxy);
    const refusal = callLimit?.stranger(address, clock.now(), c.get("limitStates"));
    if (refusal) throw refusal;
  };
}

/** Reads the body within its size and time, for the validator. */
function readForm(deps: Deps): Step {
  return async (c) => {
    const request = c.req.raw;
    const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
    if (type !== "application/x-www-form-urlencoded") throw new PageRefusal(415, "malformed");
    const fields = new FormData();
    const text = await readText(request, formLimit, deps.bodyMs);
    for (const [name, value] of new URLSearchParams(text)) fields.append(name, value);
    c.req.bodyCache.formData = fields;
  };
}

const text = z.string().refine((value) => !value.includes("\0"));
/** The fields by name; the first of a name counts. */
const Form = z.record(z.string(), z.union([text, z.array(text).transform(([first]) => first!)]));
const validator = zValidator("form", Form, ({ success }) => {
  if (!success) throw new PageRefusal(400, "malformed");
});
const form: Step = async (c) => {
  await validator(c, () => Promise.resolve());
};

/** Refuses with 403 a form that is not from a page of this service. */
function formToken({ secretsKey }: Deps): Step {
  return (c) => {
    if (!fitsForm(secretsKey, c.get("browser").given, getForm(c).get("token"))) {
      throw new PageRefusal(403, "forged");
    }
  };
}

async function runWithRetries(
  c: HonoContext,
  deps: Deps,
  run: (visit: Visit) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { origin, cookie } = c.get("browser");
  const request = c.req.raw;
  const now = deps.clock.now();
  const visit: Visit = {
    deps,
    now,
    at: formatTimestamp(now),
    request,
    origin,
    address: () => findCallerAddress(request, c.env, deps.config.trustProxy),
    limitStates: c.get("limitStates"),
    query: extractQuery(request.url),
    params: c.req.param(),
    form: request.method === "POST" ? getForm(c) : new URLSearchParams(),
    cookie,
    token: tokenOfForm(deps.secretsKey, cookie),
  };
  return await retrying(() => run(visit));
}

function getForm(c: HonoContext<object, string, { out: { form: z.output<typeof Form> } }>): URLSearchParams {
  return new URLSearchParams(c.req.valid("form"));
}

async function respondRefused(c: HonoContext, deps: Deps, error: unknown): Promise<Response> {
  const { status, said, headers, next } = error instanceof PageRefusal
    ? error
    : explainRefusal(deps, error, c.get("requestId"));
  return await respond(c, { status, page: <MessagePage said={said} tone="bad" next={next} /> }, headers);
}

async function respond(
  c: HonoContext,
  answer: PageAnswer,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { given, cookie, origin } = c.get("browser");
  const headers = new Headers({ ...composePageHeaders(c.get("requestId")), ...more });
  if ("location" in answer) {
    headers.set("Location", answer.location);
    if (answer.cookie !== undefined) headers.append("Set-Cookie", setCookie(answer.cookie, origin));
    return new Response(null, { status: 303, headers });
  }
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", makePolicy(answer.leadsTo));
  if (given === null) headers.append("Set-Cookie", setCookie(cookie, origin));
  const language = answer.language ?? readAcceptedLanguage(c.req.raw.headers.get("accept-language"));
  const html = renderIn(language, await answer.page);
  return new Response(html, { status: answer.status ?? 200, headers });
}

function composePageHeaders(requestId: string): Record<string, string> {
  return { ...securityHeaders, "Cache-Control": "no-store", "X-Request-Id": requestId };
}

/** Responds with a page in English that does not depend on the visitor. Sets no cookie. */
export async function respondWithPage(
  requestId: string,
  page: Node,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = {
    ...composePageHeaders(requestId),
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": makePolicy(undefined),
    ...more,
  };
  return new Response(renderIn("en", await page), { status, headers });
}

/** The content security policy. `form-action` also covers redirects after a form, so it names `leadsTo`. */
function makePolicy(leadsTo: string | undefined): string {
  return "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    `form-action 'self'${leadsTo ? ` ${leadsTo}` : ""}`;
}

/** Returns the error page for any error. */
export function explainRefusal(deps: Deps, error: unknown, requestId: string): PageRefusal {
  const { status, more } = asProblem(error, deps.log, requestId);
  if (status === 408) return new PageRefusal(status, "slow", more.headers);
  if (status === 429) return new PageRefusal(status, "tooMany", more.headers);
  // A 503 without `Retry-After` is not temporary: trying again does not help.
  const passing = status === 503 && more.headers?.["Retry-After"] !== undefined;
  if (passing) return new PageRefusal(status, "busy", more.headers);
  return new PageRefusal(status, status < 500 ? "malformed" : "broken", more.headers);
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Serves pages: cookies, form tokens, headers, and refusals as pages. */
import type { Hono } from "hono";
import { type Policy, Standings } from "../../../core/rate_limits.ts";
import { formatTimestamp } from "../../../core/time.ts";
import type { Author } from "../../../db/commit.ts";
import { retrying } from "../../../db/commit.ts";
import type { Deps } from "../../../deps.ts";
import { addressOf } from "../../../http/address.ts";
import { readText } from "../../../http/bodies.ts";
import { originOf, requestIdOf, securityHeaders } from "../../../http/headers.ts";
import { queryOf } from "../../../http/paths.ts";
import { asProblem } from "../../../http/problems.ts";
import { logRequest } from "../../../http/request_log.ts";
import { cookieOf, fitsForm, formToken, newCookie, setCookie } from "../sessions.ts";
import { MessagePage } from "./pages.tsx";
import { PageRefusal } from "./refusal.ts";
import { texts } from "./texts.ts";

/** Bytes. */
const formLimit = 64 * 1024;

export interface Visit extends Author {
  readonly request: Request;
  readonly origin: string;
  /** Where the visitor comes from, as failures are counted by it. */
  readonly address: () => string;
  readonly standings: Standings;
  readonly query: URLSearchParams;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Of a POST whose token fits; empty for a GET. */
  readonly form: URLSearchParams;
  /** The visitor's cookie, set with the answer when it was not there. */
  readonly cookie: string;
  /** What forms on the page must carry. */
  readonly token: string;
}

type Node = ReturnType<typeof MessagePage>;

export type PageAnswer =
  | {
    readonly status?: number;
    readonly page: Node;
    /** An origin that the forms of the page may lead to. */
    readonly leadsTo?: string | undefined;
  }
  | {
    readonly location: string;
    /** The cookie from now on; null: none. */
    readonly cookie?: string | null;
  };

/** Puts a page, or what a form is sent to, on the app; `limits`: how often it may be tried in vain. */
export function servePage(
  app: Hono,
  deps: Deps,
  method: "GET" | "POST",
  path: string,
  run: (visit: Visit) => Promise<PageAnswer>,
  limits: readonly Policy[] = [],
): void {
  app.on(method, path, async (c) => {
    const started = performance.now();
    const request = c.req.raw;
    const requestId = requestIdOf(request.headers);
    const address = () => addressOf(request, c.env, deps.config.trustProxy);
    const standings = new Standings();
    if (limits.length > 0) standings.declare(limits);
    const place = { address, standings, params: c.req.param() };
    const response = await visited(deps, request, place, requestId, run);
    for (const [name, value] of Object.entries(standings.headers())) response.headers.set(name, value);
    logRequest(deps.log, {
      method: request.method,
      route: path,
      status: response.status,
      requestId,
      duration: performance.now() - started,
      companyId: null,
      userId: null,
    });
    return response;
  });
}

async function visited(
  deps: Deps,
  request: Request,
  place: Pick<Visit, "address" | "standings" | "params">,
  requestId: string,
  run: (visit: Visit) => Promise<PageAnswer>,
): Promise<Response> {
  const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
  const given = cookieOf(request.headers, origin);
  const cookie = given ?? newCookie();
  const headers = new Headers({ ...securityHeaders, "Cache-Control": "no-store", "X-Request-Id": requestId });
  let answer: PageAnswer;
  try {
    const refusal = deps.callLimit?.stranger(place.address(), deps.clock.now(), place.standings);
    if (refusal) throw refusal;
    const form = request.method === "POST" ? await readForm(request, deps.bodyMs) : new URLSearchParams();
    const now = deps.clock.now();
    if (request.method === "POST" && !fitsForm(deps.secretsKey, given, form.get("token"))) {
      throw new PageRefusal(403, texts.forged);
    }
    const token = formToken(deps.secretsKey, cookie);
    const at = formatTimestamp(now);
    const query = queryOf(request.url);
    const visit: Visit = { deps, now, at, request, origin, ...place, query, form, cookie, token };
    answer = await retrying(() => run(visit));
  } catch (error) {
    const refusal = error instanceof PageRefusal ? error : asRefusal(deps, error, requestId);
    for (const [name, value] of Object.entries(refusal.headers)) headers.set(name, value);
    answer = { status: refusal.status, page: <MessagePage {...refusal.said} tone="bad" /> };
  }
  if ("location" in answer) {
    headers.set("Location", answer.location);
    if (answer.cookie !== undefined) headers.append("Set-Cookie", setCookie(answer.cookie, origin));
    return new Response(null, { status: 303, headers });
  }
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", policyOf(answer.leadsTo));
  if (given === null) headers.append("Set-Cookie", setCookie(cookie, origin));
  return new Response(`<!doctype html>${await answer.page}`, { status: answer.status ?? 200, headers });
}

/** A form may be redirected to where its answer leads, which browsers hold against the policy, too. */
function policyOf(leadsTo: string | undefined): string {
  return "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    `form-action 'self'${leadsTo ? ` ${leadsTo}` : ""}`;
}

async function readForm(request: Request, withinMs: number): Promise<URLSearchParams> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new PageRefusal(415, texts.malformed);
  const form = new URLSearchParams(await readText(request, formLimit, withinMs));
  if ([...form].some(([, value]) => value.includes("\0"))) throw new PageRefusal(400, texts.malformed);
  return form;
}

function asRefusal(deps: Deps, error: unknown, requestId: string): PageRefusal {
  const { status, more } = asProblem(error, deps.log, requestId);
  if (status === 408) return new PageRefusal(status, texts.slow, more.headers);
  if (status === 429) return new PageRefusal(status, texts.tooMany, more.headers);
  // Without a time to wait, trying again does not help.
  const passing = status === 503 && more.headers?.["Retry-After"] !== undefined;
  if (passing) return new PageRefusal(status, texts.busy, more.headers);
  return new PageRefusal(status, status < 500 ? texts.malformed : texts.broken, more.headers);
}

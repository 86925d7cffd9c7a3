/** Adds pages and the targets of forms to the app, with the steps that all share. */
import type { Context as HonoContext, Hono } from "hono";
import { notFound, Problem } from "../core/errors.ts";
import { retrying } from "../db/commit.ts";
import type { Deps } from "../deps.ts";
import { findCallerAddress } from "../http/address.ts";
import type { InFlight } from "../http/idempotency.ts";
import { extractQuery } from "../http/request.ts";
import { handler } from "../http/steps/step.ts";
import {
  endSession,
  makeFormToken,
  renewCookie,
  replaceCookie,
  setCookie,
} from "../identity/auth/sessions.ts";
import { checkForm, formLimit } from "./body.ts";
import { composePageHeaders } from "./headers.ts";
import { makeMessageCookie } from "./message.ts";
import type { Action, Done, Page, View } from "./page.ts";
import { readSessionPerson, selectPersonBySession } from "./person.ts";
import { noteOpened } from "./recent/note_opened.ts";
import { asksForChoices } from "./parts/choices.ts";
import { Again, explainRefusal, type Refused } from "./refused_change.ts";
import {
  composePageAddress,
  redirect,
  respondDownload,
  respondFramed,
  respondPage,
  respondRefused,
} from "./respond.tsx";
import { findReturn, readReturnAddress } from "./return_address.ts";
import { shareReads } from "./shared_reads.ts";
import { form, formSession, origin, originFor, person, prepare, SignedOut, token } from "./steps.ts";
import { languages } from "./texts/languages.ts";
import { makeVisit, type Operations, type Visit } from "./visit.ts";

/** What the pages of one app share. */
export interface Console {
  readonly deps: Deps;
  readonly operations: Operations;
  readonly inFlight: InFlight;
}

/** Adds a page. */
export function servePage(app: Hono, console: Console, page: Page): void {
  const { deps } = console;
  app.get(
    page.path,
    handler(deps, {
      path: page.path,
      steps: [prepare, person(deps)],
      respond: async (c) => {
        const visit = visitFor(c, sharingReads(console), page, new FormData(), null);
        const view = await page.show(visit);
        if ("to" in view) return redirect(c, view.to, []);
        if ("framed" in view) return respondFramed(c, deps, view);
        if ("file" in view) return respondDownload(c, deps, view);
        await noteRecord(c, deps, page, visit);
        return await respondPage(c, deps, page, visit, view, 200);
      },
      refuse: (c, error) => respondRefused(c, deps, page, error),
    }),
  );
}

/** The verbs of one page read together. */
function sharingReads(console: Console): Console {
  return { ...console, deps: { ...console.deps, db: shareReads(console.deps.db) } };
}

/** Keeps a record that a person opens among the recent ones. A page that renews itself opens nothing. */
async function noteRecord(c: HonoContext, deps: Deps, { opens }: Page, visit: Visit): Promise<void> {
  const { method, headers } = c.req.raw;
  if (!opens || method !== "GET" || headers.has("if-none-match")) return;
  const id = visit.params[opens.param]!.toLowerCase();
  if (id === visit.person.lastOpened) return;
  const noted = noteOpened(visit.person.userId, { type: opens.type, id }, deps.clock.now());
  // A page is shown also while nothing can be written.
  await deps.db.write([noted]).catch(() => {});
}

/** Adds the target of a form. */
export function serveAction(app: Hono, console: Console, action: Action): void {
  const { deps } = console;
  app.post(
    action.path,
    handler(deps, {
      path: action.path,
      steps: [prepare, person(deps, action), origin(deps), form(deps, action), token(deps)],
      respond: async (c) => {
        const form = c.get("consoleForm");
        const visit = visitFor(c, console, action.page, form, null);
        let done: Done | View;
        try {
          checkForm(form);
          if (asksForChoices(form)) throw new Again();
          done = await retrying(() => action.run(visit));
        } catch (error) {
          return await respondAgain(c, console, action, error, form);
        }
        if ("body" in done) return await respondPage(c, deps, action.page, visit, done, 200);
        const { to, message } = done;
        const cookies = message ? [makeMessageCookie(message, originFor(c, deps))] : [];
        if (done.session) cookies.push(await changeCookie(c, deps, form, done.session));
        return redirect(c, findReturn(to, c.req.raw), cookies);
      },
      async refuse(c, error) {
        // What was sent is not read to its end, so that the form is empty again.
        const isLarge = error instanceof Problem && error.status === 413 && c.get("person");
        if (!isLarge) return await respondRefused(c, deps, action.page, error);
        try {
          return await respondAgain(c, console, action, error, new FormData());
        } catch {
          return await respondRefused(c, deps, action.page, error);
        }
      },
    }),
  );
}

/** Answers paths below `/app` that nothing else serves: with a slash at the end, with another method, or unknown. */
export function serveRest(app: Hono, console: Console, known: readonly (Page | Action)[]): void {
  const { deps } = console;
  const page: Page = { path: "/app/*", section: null, show: () => Promise.reject(notFound()) };
  app.all(
    page.path,
    handler(deps, {
      path: page.path,
      steps: [prepare],
      respond: async (c) => {
        const { pathname, search } = new URL(c.req.raw.url);
        if (pathname.endsWith("/")) {
          const location = `${stripEndingSlashes(pathname)}${search}`;
          return new Response(null, {
            status: 308,
            headers: { ...composePageHeaders(c.get("requestId")), Location: location },
          });
        }
        await person(deps)(c);
        const methods = known.filter(({ path }) => fitsPath(path, pathname))
          .map((one) => "run" in one ? "POST" : "GET, HEAD");
        if (methods.length === 0) throw notFound();
        const allow = [...new Set(methods)].join(", ");
        throw new Problem(405, "method_not_allowed", `Only ${allow} is allowed here.`, {
          headers: { Allow: allow },
        });
      },
      refuse: (c, error) => respondRefused(c, deps, page, error),
    }),
  );
}

/** A pattern such as `/\/+$/` would try each of many slashes in the middle. */
function stripEndingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

function fitsPath(path: string, asked: string): boolean {
  const [parts, given] = [path.split("/"), asked.split("/")];
  return parts.length === given.length &&
    parts.every((part, at) => part.startsWith(":") || part === given[at]);
}

/** Shows the page of a refused form again, with all that was typed; other errors have a page of their own. */
async function respondAgain(
  c: HonoContext,
  console: Console,
  action: Action,
  error: unknown,
  form: FormData,
): Promise<Response> {
  const { deps } = console;
  const texts = languages[c.get("person")!.language];
  const { pathname } = new URL(c.req.raw.url);
  const refused = explainRefusal(error, { action: pathname, form, texts, limit: action.limit ?? formLimit });
  if (!refused) throw error;
  const visit = visitFor(c, sharingReads(console), action.page, form, refused);
  const view = await action.page.show(visit);
  if ("to" in view) return redirect(c, view.to, []);
  if ("framed" in view || "file" in view) throw error;
  return await respondPage(c, deps, action.page, visit, view, refused.status);
}

/** Replaces the cookie of the session, or ends it. Returns `Set-Cookie`. */
async function changeCookie(
  c: HonoContext,
  deps: Deps,
  form: FormData,
  change: NonNullable<Done["session"]>,
): Promise<string> {
  const before = c.get("session");
  const key = form.get("key");
  const after = change === "ended" ? null : renewCookie(deps.secretsKey, before, String(key ?? ""));
  await deps.db.write([after === null ? endSession(before) : replaceCookie(before, after)]);
  return setCookie(after, originFor(c, deps));
}

function visitFor(
  c: HonoContext,
  { deps, operations, inFlight }: Console,
  page: Page,
  form: FormData,
  refused: Refused | null,
): Visit {
  const person = c.get("person")!;
  const cookie = c.get("session");
  const now = deps.clock.now();
  const address = composePageAddress(page, c);
  const from = readReturnAddress(c.req.raw);
  return makeVisit({
    person,
    caller: {
      deps,
      known: person.known,
      async renew() {
        const [found] = await deps.db.read([selectPersonBySession(cookie, deps.clock.now())]);
        const again = readSessionPerson(found!.rows[0], cookie, deps.clock.now());
        if (!again) throw new SignedOut();
        return again.known;
      },
      requestId: c.get("requestId"),
      origin: originFor(c, deps),
      address: () => findCallerAddress(c.req.raw, c.env, deps.config.trustProxy),
      limitStates: c.get("limitStates"),
      inFlight,
    },
    operations,
    now,
    address,
    from,
    query: extractQuery(from === null ? c.req.raw.url : address),
    params: c.req.param(),
    form,
    token: makeFormToken(deps.secretsKey, formSession(c)),
    refused,
  });
}

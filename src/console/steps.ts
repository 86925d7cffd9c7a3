/** What happens before a page is shown or a form takes effect: session, origin, form and its token. */
import type { Context as HonoContext } from "hono";
import type { Deps } from "../deps.ts";
import { findOrigin } from "../http/request.ts";
import type { Step } from "../http/steps/step.ts";
import { fitsForm, readSessionCookie, renewCookie } from "../identity/auth/sessions.ts";
import { loadAssets } from "./assets.ts";
import { readConsoleForm } from "./body.ts";
import type { Action } from "./page.ts";
import { type Person, readSessionPerson, selectPersonBySession } from "./person.ts";

declare module "hono" {
  interface ContextVariableMap {
    person: Person | undefined;
    /** The cookie of the session. */
    session: string;
    consoleForm: FormData;
  }
}

/** The request needs a session, and has none. */
export class SignedOut extends Error {}

/** Loads the static parts, whose names pages have. */
export const prepare: Step = async () => await loadAssets();

/**
 * Reads the person of the session. `renews`: the form may have come before, and have replaced the cookie that it comes
 * with; the next cookie follows from both.
 */
export function person(deps: Deps, { renews, limit }: Pick<Action, "renews" | "limit"> = {}): Step {
  const afterForm = async (c: HonoContext, cookie: string, now: number) => {
    const read = await readConsoleForm(c.req.raw, deps.bodyMs, limit).catch(() => null);
    const key = read?.get("key");
    if (!read || typeof key !== "string" || key === "") return null;
    c.set("consoleForm", read);
    const next = renewCookie(deps.secretsKey, cookie, key);
    const [found] = await deps.db.read([selectPersonBySession(next, now)]);
    return readSessionPerson(found!.rows[0], next, now);
  };
  return async (c) => {
    const now = deps.clock.now();
    const cookie = readSessionCookie(c.req.raw.headers, originFor(c, deps));
    if (cookie === null) throw new SignedOut();
    const [found] = await deps.db.read([selectPersonBySession(cookie, now)]);
    const person = readSessionPerson(found!.rows[0], cookie, now) ??
      (renews ? await afterForm(c, cookie, now) : null);
    if (!person) throw new SignedOut();
    c.set("session", cookie);
    c.set("person", person);
    const { caller, client } = person.known;
    c.set("actor", { companyId: caller!.companyId, userId: person.userId });
    deps.traffic.countRequest();
    deps.callLimit?.take(`${client.clientId} ${person.userId}`, now, c.get("limitStates"));
  };
}

/** Refuses forms that other sites send. */
export function origin(deps: Deps): Step {
  return (c) => {
    const { headers } = c.req.raw;
    const site = headers.get("sec-fetch-site");
    const sent = headers.get("origin");
    const isAbsent = sent === null || (sent === "null" && site === "same-origin");
    if (site === "cross-site" || !(isAbsent || sent === originFor(c, deps))) throw new Expired();
  };
}

/** The form is not ours, or its session has ended. */
export class Expired extends Error {}

/** Reads the form. */
export function form(deps: Deps, { limit }: Pick<Action, "limit">): Step {
  return async (c) => {
    if (!c.get("consoleForm")) c.set("consoleForm", await readConsoleForm(c.req.raw, deps.bodyMs, limit));
  };
}

/** Refuses a form that the page of this session did not have. */
export function token({ secretsKey }: Deps): Step {
  return (c) => {
    const sent = c.get("consoleForm").get("token");
    if (!fitsForm(secretsKey, formSession(c), typeof sent === "string" ? sent : null)) throw new Expired();
  };
}

/** Returns what forms belong to: the session, which stays when its cookie is replaced. */
export function formSession(c: HonoContext): string {
  return c.get("person")?.known.caller?.tokenId ?? c.get("session");
}

/** Returns the origin that the person sees. */
export function originFor(c: HonoContext, { config }: Deps): string {
  return findOrigin(c.req.raw, config.publicUrl, config.trustProxy);
}

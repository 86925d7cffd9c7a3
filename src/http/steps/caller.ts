/** The steps that identify the caller and check their access. */
import type { Context } from "hono";
import { forbidden } from "../../core/errors.ts";
import type { CachedCaller } from "../../db/caller_cache.ts";
import type { Deps } from "../../deps.ts";
import type { Row } from "../../platform/database/database.ts";
import { authenticate, bearerToken } from "../authenticate.ts";
import type { Endpoint } from "../endpoint.ts";
import { type IdempotencyKey, idempotencyKeyOf } from "../idempotency.ts";
import { strangersError } from "../limits.ts";
import { queryValues } from "../paths.ts";
import { respondRefused } from "../respond.ts";
import type { Route, Step } from "./step.ts";

declare module "hono" {
  interface ContextVariableMap {
    token: string | null;
    /** Undefined while the caller is unknown. */
    caller: CachedCaller | undefined;
    idempotencyKey: IdempotencyKey | null;
    /** The row that the declaration's `beside` returned. */
    beside: Row | null;
    /** The stored answer of the idempotency key. */
    stored: Row | null;
  }
}

/** Reads the caller of the token, and counts the call for its client. */
export function caller(deps: Deps, endpoint: Endpoint): Step {
  return async (c) => {
    deps.traffic.noted();
    const { headers, url } = c.req.raw;
    const now = deps.clock.now();
    const token = bearerToken(headers);
    const sent = endpoint.writes ? headers.get("idempotency-key") : null;
    const key = sent === null ? null : idempotencyKeyOf(sent, deps.secretsKey);
    const stored = key?.valid ? key.lookUp(now) : null;
    const beside = endpoint.declared.beside?.(queryValues(url), c.req.param()) ?? null;
    const asked = [stored, beside].filter((read) => read !== null);
    const { known, rows } = await authenticate(deps, token, now, asked);
    c.set("token", token);
    c.set("idempotencyKey", key);
    c.set("stored", stored && (rows[0] ?? null));
    c.set("beside", beside && (rows.at(-1) ?? null));
    setCaller(c, known);
    deps.callLimit?.take(known.client.clientId, now, c.get("standings"));
  };
}

/** Refuses with 403 a caller without the right of the endpoint, and with 422 an idempotency key of the wrong form. */
export function access(endpoint: Endpoint): Step {
  return (c) => {
    checkAccess(endpoint, c.get("caller")!);
    const key = c.get("idempotencyKey");
    if (key && !key.valid) throw key.refusal;
  };
}

/** Reads the caller again: their rights may have changed while the body arrived. */
export function callerAgain(deps: Deps, endpoint: Endpoint): Step {
  return (c) => readCallerAgain(c, deps, endpoint, deps.clock.now());
}

/** Reads the caller, from the cache if it is current, and checks their access. */
export async function readCallerAgain(
  c: Context,
  deps: Deps,
  endpoint: Endpoint,
  now: number,
): Promise<void> {
  const { known } = await authenticate(deps, c.get("token"), now, []);
  setCaller(c, known);
  checkAccess(endpoint, known);
}

/** Answers errors with problem documents. Errors of unknown callers count for their address. */
export function problems(deps: Deps, endpoint: Endpoint): Route["refuse"] {
  return (c, error) => {
    const refusal = c.get("caller") ? error : strangersError(deps, c, error);
    return respondRefused(deps, c.req.raw, c.get("requestId"), refusal, endpoint);
  };
}

function setCaller(c: Context, known: CachedCaller): void {
  c.set("caller", known);
  c.set("actor", {
    companyId: known.caller?.companyId ?? known.client.companyId,
    userId: known.caller?.userId ?? null,
  });
}

function checkAccess(endpoint: Endpoint, known: CachedCaller): void {
  if (endpoint.access === "trusted" && !known.client.trusted) {
    throw forbidden("A trusted client is required.");
  }
  if (endpoint.access !== "user") return;
  if (!known.caller) throw forbidden("A user is required: this client acts for none.");
  const { right, trusted } = endpoint.declared;
  if (trusted && !known.client.trusted) throw forbidden("A trusted client is required.");
  if (right && !known.caller.rights.has(right)) throw forbidden(`The right ${right} is missing.`);
}

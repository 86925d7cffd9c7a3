/** The steps that identify the caller by a bearer token, in one statement, and check their access. */
import type { Client } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { CachedCaller } from "../../db/caller_cache.ts";
import type { CallerState } from "../../db/caller_guard.ts";
import { readMemberRow, selectCallerByToken, selectUserOfToken } from "../../db/caller_guard.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import type { Deps } from "../../deps.ts";
import { sha256 } from "../../platform/crypto.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { Endpoint } from "../endpoint.ts";
import { type IdempotencyKey, parseIdempotencyKey } from "../idempotency.ts";
import { chooseStrangersError } from "../limits.ts";
import { unauthenticated } from "../problems.ts";
import { readQueryValues } from "../request.ts";
import { respondRefused } from "../respond.ts";
import type { Route, Step } from "./step.ts";

declare module "hono" {
  interface ContextVariableMap {
    token: string | null;
    /** Undefined while the caller is unknown. */
    caller: CachedCaller | undefined;
    idempotencyKey: IdempotencyKey | null;
    /** The row that the declaration's `prefetch` returned. */
    prefetched: Row | null;
    /** The stored answer of the idempotency key. */
    stored: Row | null;
  }
}

/** Reads the caller of the token, and counts the call for its client. */
export function caller(deps: Deps, endpoint: Endpoint): Step {
  return async (c) => {
    deps.traffic.countRequest();
    const { headers, url } = c.req.raw;
    const now = deps.clock.now();
    const token = /^bearer (.*)/is.exec(headers.get("authorization") ?? "")?.[1]?.trim() || null;
    const sent = endpoint.writes ? headers.get("idempotency-key") : null;
    const key = sent === null ? null : parseIdempotencyKey(sent, deps.secretsKey);
    const stored = key?.valid ? key.lookUp(now) : null;
    const read = endpoint.declared.prefetch?.(readQueryValues(url), c.req.param()) ?? null;
    const prefetch = read && ((hash: string) => read(selectUserOfToken(hash)));
    const asked = [stored, prefetch].filter((read) => read !== null);
    const { known, rows } = await authenticate(deps, token, now, asked);
    c.set("token", token);
    c.set("idempotencyKey", key);
    c.set("stored", stored && (rows[0] ?? null));
    c.set("prefetched", prefetch && (rows.at(-1) ?? null));
    c.set("caller", known);
    c.set("actor", {
      companyId: known.caller?.companyId ?? known.client.companyId,
      userId: known.caller?.userId ?? null,
    });
    if (!endpoint.declared.uncounted) deps.callLimit?.take(known.client.clientId, now, c.get("limitStates"));
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

/**
 * Reads the caller again, from the cache if it is current, and checks their access: their rights may have changed while
 * the body arrived.
 */
export function callerAgain(deps: Deps, endpoint: Endpoint): Step {
  return async (c) => {
    const { known } = await authenticate(deps, c.get("token"), deps.clock.now(), []);
    c.set("caller", known);
    checkAccess(endpoint, known);
  };
}

/** Answers errors with problem documents. Errors of unknown callers count for their address. */
export function answerProblems(deps: Deps, endpoint: Endpoint): Route["refuse"] {
  return (c, error) => {
    const refusal = c.get("caller") ? error : chooseStrangersError(deps, c, error);
    return respondRefused(deps, c.req.raw, c.get("requestId"), refusal, endpoint);
  };
}

/**
 * Returns the caller of a token, and the first row of each of `prefetches` (statements of the same round trip).
 * Throws 401 when the token is unknown, expired or revoked, or its user or company was deleted.
 */
export async function authenticate(
  deps: Deps,
  token: string | null,
  now: number,
  prefetches: readonly ((tokenHash: string) => Statement)[],
): Promise<{ known: CachedCaller; rows: (Row | null)[] }> {
  if (token === null) throw unauthenticated(false);
  let known = await deps.callerCache.get(token, now);
  const { generation } = deps.callerCache;
  if (known && prefetches.length === 0) return { known, rows: [] };
  const hash = sha256(token);
  const statements: Statement[] = known ? [] : [selectCallerByToken(hash, now)];
  statements.push(...prefetches.map((read) => read(hash)));
  const results = await deps.db.read(statements);
  if (!known) {
    const row = results[0]!.rows[0];
    if (!row) throw unauthenticated(true);
    known = readKnownCaller(row, "token", hash, now);
    deps.callerCache.put(token, known, now, generation);
  }
  return {
    known,
    rows: results.slice(results.length - prefetches.length).map(({ rows }) => rows[0] ?? null),
  };
}

/** Returns the caller of a row of `selectCallerByToken` or `selectCallerBySession`. */
export function readKnownCaller(
  row: Row,
  source: CallerState["source"],
  hash: string,
  now: number,
): CachedCaller {
  const client: Client = {
    tokenId: row.token_id as string,
    clientId: row.client_id as string,
    trusted: row.trusted === 1,
    companyId: row.client_company_id as number | null,
  };
  const caller = row.user_id === null
    ? null
    : { ...readMemberRow(row), ...client, companyId: Number(row.company_id) };
  return {
    client,
    caller,
    fields: readCompanyFields(row.fields as string | null, caller),
    // A token that was issued while the clock was ahead expires earlier than its row states.
    expiresAt: Math.min(row.expires_at as number, now + lifetimes.accessToken),
    state: { source, hash, changes: row.changes as number, permissions: row.permissions as string },
  };
}

/** Throws 403 unless the caller may call the endpoint. */
export function checkAccess(endpoint: Endpoint, known: CachedCaller): void {
  if (endpoint.access === "trusted" && !known.client.trusted) {
    throw forbidden("A trusted client is required.");
  }
  if (endpoint.access !== "user") return;
  if (!known.caller) throw forbidden("A user is required: this client acts for none.");
  const { right, trusted } = endpoint.declared;
  if (trusted && !known.client.trusted) throw forbidden("A trusted client is required.");
  if (right && !known.caller.rights.has(right)) throw forbidden(`The right ${right} is missing.`);
}

/** Reads the caller of a bearer token in one statement. */
import { lifetimes } from "../core/lifetimes.ts";
import type { Client, Member } from "../core/access.ts";
import { rightsInForce, userTypeName } from "../core/rights.ts";
import { callerByToken } from "../db/caller_guard.ts";
import type { CachedCaller } from "../db/caller_cache.ts";
import { companyFields } from "../db/fields.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../platform/crypto.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import { unauthenticated } from "./problems.ts";

/** Returns the token of an `Authorization: Bearer` header, or null. */
export function bearerToken(headers: Headers): string | null {
  const header = headers.get("authorization");
  if (header === null || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  return header.slice(7).trim() || null;
}

/**
 * Returns the caller of a token, and the first row of each of `beside` (statements of the same round trip).
 * Throws 401 when the token is unknown, expired or revoked, or its user or company was deleted.
 */
export async function authenticate(
  deps: Deps,
  token: string | null,
  now: number,
  beside: readonly ((tokenHash: string) => Statement)[],
): Promise<{ known: CachedCaller; rows: (Row | null)[] }> {
  if (token === null) throw unauthenticated(false);
  const renewal = deps.callerCache.renewal();
  if (renewal) await renewal;
  let known = deps.callerCache.get(token, now);
  const { generation } = deps.callerCache;
  if (known && beside.length === 0) return { known, rows: [] };
  const hash = sha256(token);
  const statements: Statement[] = known ? [] : [callerByToken(hash, now)];
  statements.push(...beside.map((read) => read(hash)));
  const results = await deps.db.read(statements);
  if (!known) {
    const row = results[0]!.rows[0];
    if (!row) throw unauthenticated(true);
    known = knownOf(row, hash, now);
    deps.callerCache.put(token, known, now, generation);
  }
  return { known, rows: results.slice(results.length - beside.length).map(({ rows }) => rows[0] ?? null) };
}

function knownOf(row: Row, tokenHash: string, now: number): CachedCaller {
  const client: Client = {
    tokenId: row.token_id as string,
    clientId: row.client_id as string,
    trusted: row.trusted === 1,
    companyId: row.client_company_id as number | null,
  };
  const caller = row.user_id === null
    ? null
    : { ...memberOfRow(row), ...client, companyId: Number(row.company_id) };
  return {
    client,
    caller,
    fields: companyFields(row.fields as string | null, caller),
    // A token issued while the clock was ahead ends sooner than its row says.
    expiresAt: Math.min(row.expires_at as number, now + lifetimes.accessToken),
    state: { tokenHash, changes: row.changes as number, permissions: row.permissions as string },
  };
}

/** Reads the user of `callerByToken` or `memberById`. */
export function memberOfRow(row: Row): Member {
  const userType = userTypeName(row.user_type as number);
  return {
    companyId: row.company_id as number,
    userId: row.user_id as number,
    userType,
    rights: new Set(rightsInForce(userType, JSON.parse(row.role_rights as string) as string[])),
    teamIds: JSON.parse(row.team_ids as string) as number[],
    groupIds: JSON.parse(row.group_ids as string) as number[],
    visibleTeamIds: JSON.parse(row.visible_team_ids as string) as number[],
    activeTeamId: row.active_team_id as number | null,
  };
}

/** Facts of calls: which users change something, and in which teams. */
import { factKinds } from "../core/fact_kinds.ts";
import { type Remembered, sql } from "../db/statements.ts";
import type { Database } from "../platform/database/database.ts";

/**
 * Records the call of a user that commits a change, at a moment (epoch milliseconds), with the user's teams. Null:
 * nothing is to be recorded.
 */
export type RecordCall = (
  db: Database,
  now: number,
  caller: { readonly companyId: number; readonly userId: number; readonly teamIds: readonly number[] },
) => Remembered | null;

interface Known {
  /** Sets of teams that the database has, as `company key`. */
  readonly teams: Set<string>;
  /** The second of the last recorded call of a user with these teams, as `user company key`. */
  readonly calls: Map<string, number>;
}

const knownOf = new WeakMap<Database, Known>();
/** How many sets, and how many users, a process remembers. */
const mostKnown = 20_000;

/**
 * Returns null when this process has recorded a call of the user in this second, because one call per second is
 * enough to count users.
 */
export const recordCall: RecordCall = (db, now, { companyId, userId, teamIds }) => {
  const at = Math.floor(now / 1000);
  const teams = [...teamIds].sort((a, b) => a - b);
  const key = JSON.stringify([null, null, null, null, null, null, null, teams, null]);
  const known = knownOf.get(db) ?? { teams: new Set(), calls: new Map() };
  knownOf.set(db, known);
  const name = `${companyId} ${key}`;
  const call = `${userId} ${name}`;
  if (known.calls.get(call) === at) return null;
  const fact = sql`insert into facts (company_id, kind, at, recorded_at, user_id, zone, dim_id)
    values (${companyId}, ${factKinds.call}, ${at}, ${at}, ${userId},
    (select timezone from users where id = ${userId}),
    (select id from fact_dims where company_id = ${companyId} and key = ${key}))`;
  return {
    statements: known.teams.has(name) ? [fact] : [
      sql`insert into fact_dims (company_id, key) values (${companyId}, ${key}) on conflict do nothing`,
      fact,
    ],
    noteCommit() {
      if (known.teams.size >= mostKnown) known.teams.clear();
      if (known.calls.size >= mostKnown) known.calls.clear();
      known.teams.add(name);
      known.calls.set(call, at);
    },
  };
};

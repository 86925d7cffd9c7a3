/** How fast things age: a clock that is ahead for a moment must not remove what is still needed. */
import type { Database } from "../platform/database/database.ts";
import { sql } from "./statements.ts";

/** Milliseconds by which things age at most from one run of the jobs to the next. */
const longestStep = 3_600_000;

/**
 * The moment by which to judge whether something is old enough to be removed: `now` (epoch milliseconds), but an
 * hour behind the last run's at most. After a time in which no jobs ran, it catches up within a few runs; a clock
 * that is set back sets it back at once.
 */
export async function agedTo({ db }: { readonly db: Database }, now: number): Promise<number> {
  const [reached] = await db.write([sql`insert into ageing (id, reached) values (1, ${now})
    on conflict (id) do update set reached = min(excluded.reached, reached + ${longestStep}) returning reached`]);
  return Number(reached!.rows[0]!.reached);
}

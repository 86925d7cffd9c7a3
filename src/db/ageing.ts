/** Limits how fast rows age, so that a clock that is briefly ahead does not remove what is still needed. */
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/database/database.ts";
import { sql } from "./statements.ts";

/** Milliseconds that rows age at most from one run of the jobs to the next. */
const longestStep = 3_600_000;

/**
 * Returns the moment that decides whether rows are old enough to be removed: `now` (epoch milliseconds), but
 * at most an hour after the moment of the last run. After a pause of the jobs, the moment catches up by an
 * hour with each run. When the clock is set back, the moment follows at once. Until it has caught up it is behind the
 * clock: it decides what is old enough, and nothing else; see `readPresent`.
 */
export async function advanceAgeing({ db }: { readonly db: Database }, now: number): Promise<number> {
  const [reached] = await db.write([sql`insert into ageing (id, reached) values (1, ${now})
    on conflict (id) do update set reached = min(excluded.reached, reached + ${longestStep}) returning reached`]);
  return Number(reached!.rows[0]!.reached);
}

/**
 * Returns the present of a job that gets `aged`: when something changes, and by which stored moments are ahead
 * (`core/clocks.ts`). A caller can look ahead of the clock.
 */
export function readPresent({ clock }: { readonly clock: Clock }, aged: number): number {
  return Math.max(aged, clock.now());
}

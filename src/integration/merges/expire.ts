/** Forgets what the undo of a merge needs, 30 days after it. */
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { bindRows, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";

/** Rows of one run; the next run continues. */
const mostForgotten = 1_000;

/** SQL: whether the merge `m` is not being undone. */
const isAtRest = sql`not exists (select 1 from merge_locks l where l.merge_id = m.id)`;

/** Returns the number of rows that it has removed or cleared at `now` (epoch milliseconds). */
export async function forgetMerges({ db }: Pick<Deps, "db">, now: number): Promise<number> {
  const since = formatTimestamp(now - lifetimes.merge);
  const old = sql`select m.id from merges m where m.kept is not null and m.created_at < ${since}
    and ${isAtRest}`;
  const [rows, cleared] = await db.write([
    sql`delete from merge_rows where rowid in (select r.rowid from merge_rows r where r.merge_id in (${old})
      limit ${bindRows(mostForgotten)})`,
    sql`update merges set kept = null where id in (select m.id from merges m where m.kept is not null
      and m.created_at < ${since} and ${isAtRest} and not exists (select 1 from merge_rows r where r.merge_id = m.id)
      limit ${bindRows(mostForgotten)})`,
  ]);
  return rows!.changes + cleared!.changes;
}

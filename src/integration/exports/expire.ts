/** Removes exports and their files, 30 days after they were asked for. */
import { makeId } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { bindRows, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { beginCases, selectCasesShowing } from "../../library/shown_in_cases.ts";
import { removeFiles } from "../../library/write.ts";

/** Exports of one run; the next run continues. */
const mostRemoved = 500;

/** Returns the number of exports removed at `now` (epoch milliseconds). */
export async function removeOldRecordExports(
  deps: Pick<Deps, "db" | "deleteNaming">,
  now: number,
): Promise<number> {
  const [found] = await deps.db.read([
    sql`select id, company_id from exports where expires_at <= ${now} order by expires_at
      limit ${bindRows(mostRemoved)}`,
  ]);
  for (const { id, company_id } of found!.rows) {
    const file = sql`select e.file_id from exports e where e.id = ${id!} and e.file_id is not null`;
    await deps.db.write([
      beginCases({ at: formatTimestamp(now) }, Number(company_id), makeId(now), selectCasesShowing(file)),
      ...removeFiles(deps, file, now),
      sql`delete from exports where id = ${id!}`,
    ]);
  }
  return found!.rows.length;
}

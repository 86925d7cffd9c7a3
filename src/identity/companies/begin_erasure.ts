/** Begins to erase companies whose days of grace are over. */
import { dayMs, formatTimestamp } from "../../core/time.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { beginWorkIf, isNotInWork } from "../../staged/work.ts";
import { companyErasure, grace } from "./delete.ts";

/** Companies of one run; the next run continues. */
const most = 100;

/** Begins the erasures that are due at `now` (epoch milliseconds); returns their number. */
export async function beginErasures({ db, config }: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  const before = formatTimestamp(now - Math.max(config.eraseAfter * dayMs, grace));
  const [found] = await db.read([
    sql`select c.id from companies c where ${isOver(before)} limit ${literal(most)}`,
  ]);
  for (const { id } of found!.rows) {
    const companyId = Number(id);
    // Conditions, because the company may be brought back meanwhile.
    const isStillOver = sql`exists (select 1 from companies c where c.id = ${companyId}
      and ${isOver(before)})`;
    await db.write([
      sql`delete from staged_work where company_id = ${companyId} and ${isStillOver}`,
      beginWorkIf(isStillOver, { at }, { kind: companyErasure }, {
        company_id: companyId,
        subject: companyId,
      }),
    ]);
  }
  return found!.rows.length;
}

/** SQL over `c`: the company was deleted by the moment, and is not being erased. */
function isOver(before: string): Sql {
  return sql`c.deleted_at <= ${before} and ${isUntouched}`;
}

/** SQL over `c`: the erasure of the company has not begun. */
export const isUntouched: Sql = isNotInWork(companyErasure, sql`cast(c.id as text)`);

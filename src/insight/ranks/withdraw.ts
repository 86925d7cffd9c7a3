/** Withdraws awards that were made by a clock that was ahead: their months have not ended. */
import { computeFurthest } from "../../core/clocks.ts";
import { formatTimestamp } from "../../core/time.ts";
import { bindRows, sql } from "../../db/statements.ts";
import { type Database, guardChanged, GuardRefused, type Row } from "../../platform/database/database.ts";
import { deleteWins } from "../gamification/write.ts";
import { computeMonthStart } from "./months.ts";

/** Ranks of one run; the next run continues. */
const mostWithdrawn = 100;
const hour = 3_600;
/** Longer than a change of a company's time zone can move the end of a month. */
const zoneChange = 27 * hour;
/** Shorter than the time to the end of any later month than the present one. */
const nextMonth = 28 * 24 * hour;

/**
 * Resets ranks whose next award is later than the end of this month to this end, and deletes their wins dated
 * after `now` (epoch milliseconds). A rank that was created after `now` keeps its award, because it shows
 * that this clock is behind.
 */
export async function withdrawAwards(db: Database, now: number): Promise<void> {
  const at = Math.floor(now / 1000);
  const [found] = await db.read([
    sql`select r.id, r.company_id, r.award_at, c.timezone from ranks r join companies c on c.id = r.company_id
      where r.award_at > ${at + nextMonth} and r.created_at <= ${formatTimestamp(now)}
      and c.deleted_at is null
      order by r.award_at desc limit ${bindRows(mostWithdrawn)}`,
  ]);
  for (const rank of found!.rows) {
    const zone = String(rank.timezone);
    if (Number(rank.award_at) <= computeMonthStart(zone, at + zoneChange, 1)) continue;
    await withdrawFrom(db, rank, now, computeMonthStart(zone, at, 1));
  }
}

async function withdrawFrom(db: Database, { id, company_id, award_at }: Row, now: number, end: number) {
  try {
    await db.write([
      sql`update ranks set award_at = ${end} where id = ${id!} and award_at = ${award_at!}`,
      guardChanged("rank"),
      ...deleteWins(Number(company_id), String(id), computeFurthest(now, 0)),
    ]);
  } catch (error) {
    // Deleted, or taken back by another process.
    if (!(error instanceof GuardRefused)) throw error;
  }
}

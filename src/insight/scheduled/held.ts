/** Scheduled reports that wait during a hold. */
import type { HeldKind } from "../../db/hold.ts";
import { literal, sql } from "../../db/statements.ts";
import { leavePeriodOut } from "./deliver.ts";

/** Reports of one step. */
const most = 100;

/** A dropped delivery is left out; the next one comes by the calendar. */
export const heldReports: HeldKind = {
  queue: "scheduled-reports",
  waiting: (now) =>
    sql`select count(*) as n, min(coalesce(wanted_at, next_at)) as oldest from scheduled_reports
      where next_at <= ${now} or wanted_at is not null`,
  async drop({ deps, now }, before) {
    const [due] = await deps.db.read([
      sql`select id from scheduled_reports where next_date is not null and (attempt_at is null or attempt_at <= ${before})
        and (next_at <= ${before} or wanted_at <= ${before}) limit ${literal(most)}`,
    ]);
    let dropped = 0;
    for (const { id } of due!.rows) dropped += await leavePeriodOut(deps, String(id), now);
    return dropped;
  },
};

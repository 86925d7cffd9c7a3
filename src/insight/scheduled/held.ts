/** Scheduled reports that wait during a hold. */
import type { HeldKind } from "../../db/hold.ts";
import { literal, selectColumns, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import type { ReportCompany } from "../reports/question.ts";
import { leavePeriodOut } from "./deliver.ts";
import { type ScheduledReportRow, scheduledReports } from "./record.ts";

/** Reports of one step. */
const most = 100;

/** A dropped delivery is left out; the next one comes by the calendar. */
export const heldReports: HeldKind = {
  queue: "scheduled-reports",
  waiting: (now) =>
    sql`select count(*) as n, min(coalesce(wanted_at, next_at)) as oldest from scheduled_reports
      where next_at <= ${now} or wanted_at is not null`,
  async drop({ deps, now }, before) {
    // Under a clock that is behind the beginning of the hold, a report that is not due yet would stay as it is.
    const passed = Math.min(before, now);
    const [due] = await deps.db.read([
      sql`select ${selectColumns(scheduledReports, "s")}, c.timezone
        from scheduled_reports s join companies c on c.id = s.company_id
        where s.next_date is not null and (s.due_at is null or s.due_at <= ${before})
        and (s.next_at <= ${passed} or s.wanted_at <= ${before}) limit ${literal(most)}`,
    ]);
    const rows = due!.rows as (Row & ScheduledReportRow & Pick<ReportCompany, "timezone">)[];
    if (rows.length === 0) return 0;
    const left = await deps.db.write(rows.map((row) => leavePeriodOut(row, row, now)));
    return left.reduce((sum, { changes }) => sum + changes, 0);
  },
};

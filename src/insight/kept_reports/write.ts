/** Statements that store a report. */
import { counts } from "../../core/budgets.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { bindRows, insert, insertAll, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { reportDeliveries, type ReportDeliveryRow, reportReaders } from "./table.ts";

/** Reports that one more removes at most. */
const mostRemoved = 100;

/**
 * Stores a report for its readers, and removes the oldest ones beyond `counts.keptReports`. Their files stay with
 * their owners. The caller notifies the readers in the same commit.
 */
export function keepReport(report: ReportDeliveryRow, readers: readonly number[]): Statement[] {
  const rows = readers.map((user_id) => ({ report_id: report.id, user_id, file_id: report.file_id }));
  const oldest = sql`select d.id from report_deliveries d where d.company_id = ${report.company_id}
    order by d.created_at desc, d.id desc limit ${bindRows(mostRemoved)} offset ${counts.keptReports - 1}`;
  return [
    sql`delete from report_readers where report_id in (${oldest})`,
    sql`delete from report_deliveries where id in (${oldest})`,
    insert(reportDeliveries, report),
    ...(rows.length > 0 ? [insertAll(reportReaders, rows)] : []),
  ];
}

/** Whether a report is kept under the key `once`. */
export async function isKept({ db }: Pick<Deps, "db">, once: string): Promise<boolean> {
  const [found] = await db.read([sql`select 1 from report_deliveries d where d.once = ${once}`]);
  return found!.rows.length > 0;
}

/** Notifies users of a report that a colleague asks them to look at. */
export function draftReportNotification(
  report: Pick<ReportDeliveryRow, "id" | "user_id">,
  to: NotificationDraft["to"],
  message: string,
): NotificationDraft {
  return {
    type: "notified_report",
    to,
    data: { user: { id: report.user_id }, notified_report: { id: report.id } },
    message,
  };
}

/** Statements that store a report. */
import type { NotificationDraft } from "../../db/notifications.ts";
import { insert, insertAll, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { reportDeliveries, type ReportDeliveryRow, reportReaders } from "./table.ts";

/** Stores a report for its readers. The caller notifies them in the same commit. */
export function keptReport(report: ReportDeliveryRow, readers: readonly number[]): Statement[] {
  const rows = readers.map((user_id) => ({ report_id: report.id, user_id, file_id: report.file_id }));
  return [insert(reportDeliveries, report), ...(rows.length > 0 ? [insertAll(reportReaders, rows)] : [])];
}

/** Whether a report is kept under the key `once`. */
export async function isKept({ db }: Pick<Deps, "db">, once: string): Promise<boolean> {
  const [found] = await db.read([sql`select 1 from report_deliveries d where d.once = ${once}`]);
  return found!.rows.length > 0;
}

/** Notifies users of a report that a colleague asks them to look at. */
export function notifiedReport(
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

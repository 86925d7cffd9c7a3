import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { companies } from "../../identity/companies/table.ts";
import type { DeliveryFailure } from "./failures.ts";
import { declareReferences } from "../../db/references.ts";

/** Reports as they were delivered. */
export const reportDeliveries = sqliteTable("report_deliveries", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The user whose figures they are. */
  user_id: integer().notNull(),
  /**
   * The scheduled report, which may be deleted, and its name at that time. Null: a user shared the figures.
   */
  scheduled_report_id: text(),
  name: text(),
  /** Of a delivery by the calendar: the scheduled report, frequency and day, so that no period is delivered twice. */
  once: text(),
  /** The time of the figures, UTC. */
  start_at: text().notNull(),
  end_at: text().notNull(),
  /** JSON as clients read it. */
  data: text().notNull(),
  file_id: text(),
  /** Why it came without a PDF; null when nothing failed. */
  failure: text().$type<DeliveryFailure>(),
  created_at: text().notNull(),
}, (table) => [
  uniqueIndex("report_deliveries_once").on(table.once),
  index("report_deliveries_by_company").on(table.company_id, table.created_at, table.id),
]);

/** Users who may read a report and its file, besides the user whose figures it has and admins. */
export const reportReaders = sqliteTable("report_readers", {
  report_id: text().notNull().references(() => reportDeliveries.id),
  user_id: integer().notNull(),
  file_id: text(),
}, (table) => [
  primaryKey({ columns: [table.report_id, table.user_id] }),
  index("report_readers_by_file").on(table.file_id, table.user_id),
]);

export type ReportDeliveryRow = typeof reportDeliveries.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const reportDeliveryReferences = declareReferences(reportDeliveries, {
  user_id: { user: "keep" },
  scheduled_report_id: { scheduled_report: "keep" },
  data: "figures as they were delivered",
  // It is shown as null.
  file_id: { file: "keep" },
});
export const reportReaderReferences = declareReferences(reportReaders, {
  report_id: "a kept report, which nobody deletes",
  user_id: { user: "keep" },
  // It is shown as null.
  file_id: { file: "keep" },
});

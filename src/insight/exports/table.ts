import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { companies } from "../../identity/companies/table.ts";
import type { ExportFailure } from "./failures.ts";
import { cascadeAtOnce, declareReferences, leaveTo } from "../../db/references.ts";

export const exportFormats = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportStatuses = ["pending", "running", "done", "failed"] as const;

/** Exports: figures that a job writes, or has written, to a file. */
export const reportExports = sqliteTable("report_exports", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The caller, who owns the file. */
  user_id: integer().notNull(),
  format: text({ enum: exportFormats }).notNull(),
  status: text({ enum: exportStatuses }).notNull(),
  /** JSON list of the names of the columns. */
  columns: text().notNull(),
  file_id: text(),
  /** Why there is no file; null unless the export has failed. */
  failure: text().$type<ExportFailure>(),
  /** How often the file was begun. */
  attempts: integer().notNull().default(0),
  /**
   * When a job begins the file, or begins it again after its process died; epoch milliseconds. Null once the
   * export has ended.
   */
  due_at: integer(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  // The few that are not written yet.
  index("report_exports_due").on(table.due_at).where(sql`${table.due_at} is not null`),
  // The same in turns by company.
  index("report_exports_in_turn").on(table.company_id, table.due_at, table.id)
    .where(sql`${table.due_at} is not null`),
  index("report_exports_expired").on(table.expires_at),
  // For a deleted user.
  index("report_exports_by_user").on(table.company_id, table.user_id),
]);

/** The figures of an export, a slice of its rows each, until the file is written. */
export const reportExportRows = sqliteTable("report_export_rows", {
  export_id: text().notNull().references(() => reportExports.id),
  position: integer().notNull(),
  /** JSON list of rows, each a list of values. */
  rows: text().notNull(),
}, (table) => [primaryKey({ columns: [table.export_id, table.position] })]);

export type ReportExportRow = typeof reportExports.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const exportReferences = declareReferences(reportExports, {
  // An export that is not written yet is deleted.
  user_id: { user: leaveTo("insight/exports/deletion.ts#exportDeletion", "step") },
  // It is shown as null.
  file_id: { file: "keep" },
});
export const exportRowReferences = declareReferences(reportExportRows, {
  export_id: { export: cascadeAtOnce },
});

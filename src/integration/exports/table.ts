import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "../../db/columns.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { companies } from "../../identity/companies/table.ts";
import { importEntities } from "../columns/entities.ts";

export const exportFormats = ["csv", "ndjson", "xlsx"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportStatuses = ["pending", "running", "done", "failed"] as const;

/**
 * Why an export has failed: `maker_deleted` and `right_missing` name its maker; `filter`: its filter names something
 * that is gone; `columns`: so do its columns; `too_large`: more rows than a sheet takes, or more bytes than fit;
 * `unavailable`: the place of the files took none for days.
 */
export const exportFailures = [
  "file_quota",
  "maker_deleted",
  "right_missing",
  "filter",
  "columns",
  "too_large",
  "unavailable",
  "internal",
] as const;
export type ExportFailure = (typeof exportFailures)[number];

/** Exports: records that a job writes, or has written, to a file. */
export const exports = sqliteTable("exports", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The caller, who owns the file. */
  user_id: integer().notNull(),
  entity: text({ enum: importEntities }).notNull(),
  format: text({ enum: exportFormats }).notNull(),
  status: text({ enum: exportStatuses }).notNull(),
  /** JSON list of the names of the columns; null: those of the moment when it is written. */
  columns: text(),
  /** JSON: `StoredFilter`; null: without one. */
  filter: text(),
  /** The row number of the newest record at the call: what exports go by that have no `last_event`. */
  last_row: integer().notNull(),
  rows: flag(),
  file_id: text(),
  /** Null unless the export has failed. */
  failure: text({ enum: exportFailures }),
  /** How often the file was begun. */
  attempts: flag(),
  /**
   * When a job begins the file, or begins it again after its process died; epoch milliseconds. Null once the
   * export has ended.
   */
  due_at: integer(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
  finished_at: text(),
  /** The position of the company's newest event at the call. What was made by a later one is not exported. */
  last_event: integer(),
}, (table) => [
  // The few that are not written yet, also in turns by company.
  index("exports_due").on(table.due_at).where(sql`${table.due_at} is not null`),
  index("exports_in_turn").on(table.company_id, table.due_at, table.id)
    .where(sql`${table.due_at} is not null`),
  index("exports_expired").on(table.expires_at),
  // The list of a user.
  index("exports_by_user").on(table.company_id, table.user_id, table.created_at, table.id),
]);

export type ExportRow = typeof exports.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const exportReferences = declareReferences(exports, {
  // An export that is not written yet is deleted.
  user_id: { user: leaveTo("integration/exports/deletion.ts#exportDeletion", "step") },
  // It is shown as null.
  file_id: { file: "keep" },
  last_event: "the position of an event, which may be removed",
  filter: "an export whose filter names what is gone fails when it is read",
});

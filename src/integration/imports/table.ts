import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, serialId } from "../../db/columns.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { companies } from "../../identity/companies/table.ts";
import { importEntities } from "../columns/entities.ts";

export const importStatuses = [
  "queued",
  "checking",
  "checked",
  "running",
  "done",
  "cancelled",
  "failed",
  "reverting",
  "reverted",
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export const failureCodes = [
  "format",
  "maker_deleted",
  "right_missing",
  "team_deleted",
  "field_deleted",
] as const;
export type FailureCode = (typeof failureCodes)[number];

export const matches = ["none", "external_id", "email", "phone_number"] as const;
export const onMatches = ["update", "skip", "fail"] as const;

/** Imports: a file whose rows become records, in steps. */
export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The user who made it. */
  maker_id: integer().notNull(),
  /** The name of the file. */
  name: text().notNull(),
  entity: text({ enum: importEntities }).notNull(),
  format: text({ enum: ["csv", "ndjson"] }).notNull(),
  status: text({ enum: importStatuses }).notNull(),
  dry_run: flag(),
  match: text({ enum: matches }).notNull(),
  on_match: text({ enum: onMatches }).notNull(),
  refusals: text({ enum: ["fail", "skip"] }).notNull(),
  /** The team and the user of the new records, and the agency team of new leads. */
  team_id: integer(),
  user_id: integer(),
  agency_team_id: integer(),
  /** JSON of `Layout`: the columns of the file, and what they set. */
  reading: text().notNull(),
  encoding: text(),
  delimiter: text(),
  decimal: text(),
  /** As asked for; null: it is found for each column. */
  date_format: text(),
  /** The key of the file in the storage, null once it is removed, and its bytes. */
  object_key: text(),
  bytes: integer().notNull(),
  /** A file of the library that the caller named. */
  file_id: text(),
  /** The number of rows of the file; null before it is read to its end. */
  rows: integer(),
  /** How many rows are done, and what became of them. */
  place: flag(),
  created: flag(),
  updated: flag(),
  skipped: flag(),
  failed: flag(),
  /** JSON: the first rows of a dry run. */
  preview: text(),
  failure: text({ enum: failureCodes }),
  failure_row: integer(),
  /** JSON: how many records a revert has deleted, restored and kept. */
  reverted: text(),
  /** Epoch milliseconds: when the file and what a revert needs are removed, and when the import is. */
  expires_at: integer(),
  removed_at: integer().notNull(),
  created_at: text().notNull(),
  started_at: text(),
  finished_at: text(),
}, (table) => [
  index("imports_by_company").on(table.company_id, table.created_at, table.id),
  index("imports_by_maker").on(table.company_id, table.maker_id, table.created_at, table.id),
  // The few that wait or run.
  index("imports_open").on(table.company_id, table.status, table.id)
    .where(sql`${table.status} in ('queued', 'checking', 'running', 'reverting')`),
  index("imports_expired").on(table.expires_at).where(sql`${table.expires_at} is not null`),
  index("imports_removed").on(table.removed_at),
]);

/** Faults of rows. */
export const importErrors = sqliteTable("import_errors", {
  seq: serialId(),
  company_id: integer().notNull(),
  import_id: text().notNull().references(() => imports.id),
  row: integer().notNull(),
  column: text(),
  path: text(),
  code: text().notNull(),
  message: text().notNull(),
  /** As in the file. */
  value: text(),
}, (table) => [index("import_errors_by_import").on(table.import_id, table.row, table.seq)]);

/** What an import made and changed, for its revert: a record each. */
export const importChanges = sqliteTable("import_changes", {
  seq: serialId(),
  import_id: text().notNull().references(() => imports.id),
  row: integer().notNull(),
  entity: text().notNull(),
  record_id: text().notNull(),
  /** JSON: the own values of the record before and after; `before` is null when the import made it. */
  before: text(),
  after: text().notNull(),
}, (table) => [
  index("import_changes_by_import").on(table.import_id, table.seq),
  index("import_changes_by_record").on(table.record_id, table.import_id),
]);

/** What a dry run remembers of its rows until it ends, as keys; see `dry_records.ts`. */
export const importKeys = sqliteTable("import_keys", {
  import_id: text().notNull().references(() => imports.id),
  key: text().notNull(),
}, (table) => [primaryKey({ columns: [table.import_id, table.key] })]);

/** Records that a revert left as they are, and why. */
export const importKept = sqliteTable("import_kept", {
  seq: serialId(),
  company_id: integer().notNull(),
  import_id: text().notNull().references(() => imports.id),
  row: integer().notNull(),
  entity: text().notNull(),
  record_id: text().notNull(),
  reason: text({ enum: ["changed", "in_use", "deleted"] }).notNull(),
}, (table) => [index("import_kept_by_import").on(table.import_id, table.row, table.seq)]);

export type ImportRow = typeof imports.$inferSelect;

/** What their columns name, and what happens when that is deleted. */
export const importReferences = declareReferences(imports, {
  // It ends at its next step, and stays in the list of the admins.
  maker_id: { user: leaveTo("integration/imports/staged.ts#describeImportWork", "step") },
  // It ends at its next step.
  team_id: { team: leaveTo("integration/imports/staged.ts#describeImportWork", "step") },
  user_id: { user: leaveTo("integration/imports/staged.ts#describeImportWork", "step") },
  agency_team_id: { team: leaveTo("integration/imports/staged.ts#describeImportWork", "step") },
  file_id: { file: "keep" },
});
export const importErrorReferences = declareReferences(importErrors, { import_id: "goes with its import" });
export const importKeyReferences = declareReferences(importKeys, { import_id: "goes with its import" });
export const importKeptReferences = declareReferences(importKept, {
  import_id: "goes with its import",
  record_id: "says what became of a record",
});
export const importChangeReferences = declareReferences(importChanges, {
  import_id: "goes with its import",
  record_id: "says what the import made; a revert finds that it is gone",
});

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { companies } from "../../identity/companies/table.ts";

/** Kinds of records that are merged. */
export const mergedTypes = ["account", "contact"] as const;
export type MergedType = (typeof mergedTypes)[number];

/** Merges of two accounts or contacts: what went, and what brings it back. */
export const merges = sqliteTable("merges", {
  /** In the order of the merges. */
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  entity_type: text({ enum: mergedTypes }).notNull(),
  /** The record that stayed. */
  entity_id: text().notNull(),
  /** The record that went. */
  from_id: text().notNull(),
  /** The record that `entity_id` has become since, by later merges. Triggers delete the merge with it. */
  root_id: text().notNull(),
  /** The team of that record, kept by triggers. */
  team_id: integer(),
  /** JSON: how many records of each kind moved. */
  moved: text().notNull(),
  /** JSON of `Kept`, for the undo; null after it, and after 30 days. */
  kept: text(),
  user_id: integer().notNull(),
  created_at: text().notNull(),
  undone_at: text(),
}, (table) => [
  index("merges_in_order").on(table.company_id, table.seq, table.id),
  index("merges_by_team").on(table.company_id, table.team_id, table.seq, table.id),
  index("merges_by_entity").on(table.entity_id, table.seq, table.id),
  index("merges_by_root").on(table.root_id),
  index("merges_kept").on(table.created_at).where(sql`${table.kept} is not null`),
]);

/** The values that a merge has changed in other rows. */
export const mergeRows = sqliteTable("merge_rows", {
  merge_id: text().notNull().references(() => merges.id),
  table_name: text().notNull(),
  row_id: text().notNull(),
  column_name: text().notNull(),
  before: text(),
  /** Null: the row is gone. */
  after: text(),
}, (table) => [primaryKey({ columns: [table.merge_id, table.table_name, table.row_id, table.column_name] })]);

/** Records that went into others. */
export const mergedRecords = sqliteTable("merged_records", {
  from_id: text().primaryKey(),
  merge_id: text().notNull().references(() => merges.id),
  into_id: text().notNull(),
}, (table) => [index("merged_records_by_merge").on(table.merge_id)]);

/** Records of merges that are under way: nobody changes or deletes them until then. */
export const mergeLocks = sqliteTable("merge_locks", {
  record_id: text().primaryKey(),
  merge_id: text().notNull().references(() => merges.id),
}, (table) => [index("merge_locks_by_merge").on(table.merge_id)]);

export type MergeRow = typeof merges.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const mergeReferences = declareReferences(merges, {
  entity_id: { account: "keep", contact: "keep" },
  from_id: { account: "keep", contact: "keep" },
  root_id: {
    account: leaveTo("integration/merges/triggers.ts#mergeTriggers", "cascade"),
    contact: leaveTo("integration/merges/triggers.ts#mergeTriggers", "cascade"),
  },
  team_id: "a copy of the record's, kept by triggers",
  user_id: { user: "keep" },
});
export const mergeRowReferences = declareReferences(mergeRows, {
  merge_id: "the merge that it is part of",
  row_id: "a row of any table",
});
export const mergedRecordReferences = declareReferences(mergedRecords, {
  from_id: { account: "keep", contact: "keep" },
  merge_id: "the merge that it is part of",
  into_id: { account: "keep", contact: "keep" },
});
export const mergeLockReferences = declareReferences(mergeLocks, {
  record_id: "a record that nobody deletes meanwhile",
  merge_id: "the merge that it is part of",
});

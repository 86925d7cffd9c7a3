import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { describeOwnerMembers } from "../../identity/owner_members.ts";
import { columns } from "../../records/members.ts";
import { companies } from "../../identity/companies/table.ts";
import { describeOwnerReferences } from "../../identity/owner_references.ts";
import { cascadeAtOnce, clearAtOnce, declareReferences } from "../../db/references.ts";

export const relationsPaths = sqliteTable("relations_paths", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  ...columns(describeOwnerMembers()),
  name: text().notNull(),
  is_sales_type: flag(),
  /** The size of its JSON; see `pathsBudget`. */
  bytes: integer().notNull().default(0),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("relations_paths_by_created").on(table.company_id, table.created_at, table.id),
  index("relations_paths_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("relations_paths_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
]);

/** Milestones and supportive activities of a path. Retired ones stay for the cases that have done them. */
export const activityTypes = sqliteTable("activity_types", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  relations_path_id: text().notNull().references(() => relationsPaths.id),
  is_milestone: flag(),
  name: text().notNull(),
  description: text(),
  type: text({ enum: ["test_drive", "offer", "need_analysis"] }),
  sort_order: integer().notNull(),
  /** The status that the activity gives the case: `open`, `closed`, `declined` or null. */
  set_status: text({ enum: ["open", "closed", "declined"] }),
  /** Days. */
  suggest_task_after: integer(),
  template_id: integer(),
  content_suggestions: text().notNull().default("[]"),
  extra_step_id: text(),
  extra_step_name: text(),
  additional_steps: text().notNull().default("[]"),
  automated_communications: text().notNull().default("[]"),
  chance_of_success: integer(),
  retired_at: text(),
}, (table) => [
  index("activity_types_by_path").on(table.relations_path_id, table.is_milestone, table.sort_order),
  // For the deletion of a template.
  index("activity_types_by_template").on(table.company_id, table.template_id).where(
    sql`${table.template_id} is not null`,
  ),
  // For the deletion of an automated communication.
  index("activity_types_with_automated").on(table.company_id).where(
    sql`${table.automated_communications} <> '[]'`,
  ),
  index("activity_types_by_type").on(table.company_id, table.type).where(sql`${table.type} is not null`),
]);

export type RelationsPathRow = Omit<typeof relationsPaths.$inferSelect, "owner" | "reader" | "kept_for"> & {
  readonly kept_for?: number | null;
};
export type ActivityTypeRow = typeof activityTypes.$inferSelect;

/** The record that shows an activity type. */
const shownIn = { table: "relations_paths", by: "relations_path_id" };

/** What its columns name, and what happens when that is deleted. */
export const relationsPathReferences = declareReferences(relationsPaths, {
  ...describeOwnerReferences("created_by"),
  created_by: { user: "keep" },
});
export const activityTypeReferences = declareReferences(activityTypes, {
  relations_path_id: { relations_path: cascadeAtOnce },
  template_id: { template: clearAtOnce({ partOf: shownIn }) },
  extra_step_id: "its own step",
  automated_communications: { automated_communication: clearAtOnce({ list: true, partOf: shownIn }) },
});

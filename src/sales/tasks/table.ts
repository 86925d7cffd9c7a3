import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { cases } from "../cases/table.ts";

export const tasks = sqliteTable("tasks", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  case_id: text().notNull().references(() => cases.id),
  /** The activity that planned it. */
  activity_id: text(),
  type: text().notNull(),
  user_id: integer(),
  start_at: text().notNull(),
  end_at: text().notNull(),
  note: text(),
  completed_at: text(),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  // The next open task of a case.
  index("tasks_by_case").on(table.case_id, table.start_at, table.id),
  index("tasks_open_by_user").on(table.company_id, table.user_id, table.start_at).where(
    sql`${table.completed_at} is null`,
  ),
]);

export type TaskRow = typeof tasks.$inferSelect;

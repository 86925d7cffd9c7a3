import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { cases } from "../cases/table.ts";
import { referencesOf } from "../../db/references.ts";

export const tasks = sqliteTable("tasks", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  case_id: text().notNull().references(() => cases.id),
  /** The team of the case; a trigger maintains it. */
  team_id: integer(),
  /** The activity that planned it. */
  activity_id: text(),
  type: text({ enum: ["email", "call", "meeting", "remind_me", "letter"] }).notNull(),
  user_id: integer(),
  start_at: text().notNull(),
  end_at: text().notNull(),
  note: text(),
  completed_at: text(),
  /** `later`, `pending`, `overdue` or `completed`; see `stages.ts`. */
  stage: text().notNull().default("pending"),
  /** The end of the stage. */
  stage_ends_at: text().generatedAlwaysAs(
    sql`case stage when 'later' then start_at when 'pending' then end_at end`,
    { mode: "virtual" },
  ),
  /** The length of the task: the number of octal digits of its seconds. */
  span: integer().generatedAlwaysAs(sql`length(printf('%o', unixepoch(end_at) - unixepoch(start_at)))`, {
    mode: "virtual",
  }),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  // The next open task of a case, and its timeline.
  index("tasks_by_case").on(table.case_id, table.start_at, table.id),
  index("tasks_by_case_created").on(table.case_id, table.created_at, table.id),
  index("tasks_open_by_user").on(table.company_id, table.user_id, table.start_at).where(
    sql`${table.completed_at} is null`,
  ),
  index("tasks_by_start").on(table.company_id, table.start_at, table.id),
  index("tasks_by_team_start").on(table.company_id, table.team_id, table.start_at, table.id),
  index("tasks_by_user_start").on(table.company_id, table.user_id, table.start_at, table.id),
  index("tasks_by_stage").on(table.company_id, table.stage, table.start_at, table.id),
  index("tasks_by_team_stage").on(table.company_id, table.team_id, table.stage, table.start_at, table.id),
  index("tasks_by_end").on(table.company_id, table.end_at, table.id),
  index("tasks_by_team_end").on(table.company_id, table.team_id, table.end_at, table.id),
  index("tasks_by_stage_and_end").on(table.company_id, table.stage, table.end_at, table.id),
  index("tasks_by_team_stage_and_end").on(
    table.company_id,
    table.team_id,
    table.stage,
    table.end_at,
    table.id,
  ),
  // Tasks of a period.
  index("tasks_by_span").on(table.company_id, table.span, table.start_at, table.end_at),
  // Stages about to end, and stages that a fast clock set too early.
  index("tasks_overdue_until").on(table.company_id, table.end_at).where(sql`${table.stage} = 'overdue'`),
  index("tasks_by_stage_end").on(table.stage_ends_at, table.id).where(
    sql`${table.stage_ends_at} is not null`,
  ),
]);

/** What its columns name, and what happens when that is removed. */
export const taskReferences = referencesOf(tasks, {
  case_id: { case: "cascade" },
  team_id: "a copy of the case's, kept by triggers",
  activity_id: { activity: "cascade" },
  // The successor takes open tasks.
  user_id: { user: ["step", "keep"] },
  created_by: { user: "keep" },
});

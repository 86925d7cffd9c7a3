/** The task, described once. A case shows it; by itself it also shows its case, see `schema.ts`. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { refusal } from "../../http/validate.ts";
import { html, integerId, optional, text as longText, timestamp } from "../../http/zod.ts";
import { computed, internal, readOnly, stamps, versioned } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { cases } from "../cases/record.ts";

export const taskTypes = ["email", "call", "meeting", "remind_me", "letter"] as const;

export const taskStatuses = ["pending", "later", "completed", "overdue"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

const note = () => optional(html(longText(65_535)));

export const taskMembers = {
  id: readOnly(text().primaryKey(), z.uuid()),
  company_id: internal(integer().notNull()),
  case_id: readOnly(text().notNull().references(() => cases.id), z.uuid()),
  /** The team of the case; a trigger maintains it. */
  team_id: internal(integer()),
  activity_id: readOnly(text(), z.uuid().nullable().meta({ description: "The activity that planned it." })),
  type: {
    column: text({ enum: taskTypes }).notNull(),
    shown: z.enum(taskTypes),
    create: z.enum(taskTypes).meta({ example: "call" }),
    change: z.enum(taskTypes).optional(),
  },
  user: computed(UserSummary.nullable()),
  user_id: {
    column: integer(),
    create: optional(integerId).meta({ description: "The assignee; default: the caller." }),
    change: integerId.optional().meta({ description: "The assignee, a user who sees the case." }),
    stored: "code",
  },
  start_at: {
    column: text().notNull(),
    shown: z.string().meta({ example: "2026-01-31 10:00:00" }),
    create: timestamp,
    change: timestamp.optional(),
  },
  end_at: {
    column: text().notNull(),
    shown: z.string().meta({ example: "2026-01-31 11:00:00" }),
    create: timestamp.meta({ example: "2026-01-31 11:00:00" }),
    change: timestamp.optional().meta({ description: "Not before `start_at`." }),
  },
  /** HTML, sanitised. */
  note: { column: text(), shown: z.string().nullable(), create: note(), change: note(), stored: "code" },
  status: computed(z.enum(taskStatuses)),
  completed: { change: z.boolean().optional().meta({ description: "`false` opens the task again." }) },
  completed_at: readOnly(text(), z.string().nullable()),
  /** `later`, `pending`, `overdue` or `completed`; see `stages.ts`. */
  stage: internal(text().notNull().default("pending")),
  /** The end of the stage. */
  stage_ends_at: internal(
    text().generatedAlwaysAs(
      sql`case stage when 'later' then start_at when 'pending' then end_at end`,
      { mode: "virtual" },
    ),
  ),
  /** The length of the task: the number of octal digits of its seconds. */
  span: internal(
    integer().generatedAlwaysAs(sql`length(printf('%o', unixepoch(end_at) - unixepoch(start_at)))`, {
      mode: "virtual",
    }),
  ),
  created_by: internal(integer()),
  ...stamps({}),
  ...versioned,
} satisfies Members;

export const tasks = sqliteTable("tasks", columns(taskMembers), (table) => [
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

/** What its columns name, and what happens when that is deleted. */
export const taskReferences = declareReferences(tasks, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  team_id: "a copy of the case's, kept by triggers",
  activity_id: { activity: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  // The successor takes open tasks.
  user_id: { user: leaveTo("sales/tasks/deletion.ts#caseReassignment", "step", "keep") },
  created_by: { user: "keep" },
});

export const CaseTask = z.object(forAnswer(taskMembers)).meta({
  id: "CaseTask",
  description: "Work to do on a case by a time, as the case shows it.",
});

const newTask = z.object(forCreate(taskMembers));
export type TaskBody = z.output<typeof newTask>;

/** A task that an activity plans. */
export const PlannedTask = requireOrderedTimes(newTask).meta({ id: "TaskCreate" });

/** A task of a case. */
export const TaskBody = requireOrderedTimes(orShownAs(newTask, { user_id: ["user", integerId] })).meta({
  id: "CaseTaskCreate",
  example: { type: "call", start_at: "2026-01-31 10:00:00", end_at: "2026-01-31 11:00:00" },
});

/** Refuses a task that ends before it starts. */
function requireOrderedTimes<S extends z.ZodType<Pick<TaskBody, "start_at" | "end_at">>>(schema: S): S {
  return schema.refine((task) => task.end_at >= task.start_at, {
    ...refusal("after", "Must not be before start_at."),
    path: ["end_at"],
  });
}

/** The members of a task that may change. */
export const TaskChange = orShownAs(z.object(forChange(taskMembers)), { user_id: ["user", integerId] })
  .meta({ id: "TaskChange", example: { completed: true } });
export type TaskChange = z.output<typeof TaskChange>;

/** Columns that the database computes, for its indexes. */
const generated = ["stage_ends_at", "span"] as const;

export type TaskRow = Omit<typeof tasks.$inferSelect, (typeof generated)[number]>;

/** The columns of a `TaskRow`. */
export const taskColumns = Object.keys(columns(taskMembers)).filter((name) =>
  !(generated as readonly string[]).includes(name)
);

/** A task with the name of its assignee. */
export interface TaskRecord extends TaskRow {
  readonly user_name: string | null;
}

const presentMembers = presenter(taskMembers, CaseTask);

/** Presents a task in an answer that is about its case. */
export function presentTask(task: TaskRecord, at: string) {
  return presentMembers({
    ...task,
    user: task.user_id === null ? null : { id: task.user_id, name: task.user_name ?? "" },
    status: computeTaskStatus(task, at),
  });
}

/** The times that a status depends on. */
export interface TaskTimes {
  readonly completed_at: string | null;
  readonly start_at: string;
  readonly end_at: string;
}

/** Returns the status of a task at a timestamp. */
export function computeTaskStatus(task: TaskTimes, at: string): TaskStatus {
  if (task.completed_at !== null) return "completed";
  if (task.end_at < at) return "overdue";
  return task.start_at > at ? "later" : "pending";
}

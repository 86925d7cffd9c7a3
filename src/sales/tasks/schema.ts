/** Wire shapes of tasks. */
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import {
  csv,
  csvIntegers,
  csvOf,
  csvUuids,
  html,
  integerId,
  optional,
  ordered,
  text,
  timestamp,
} from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { CaseTask, taskStatuses, taskTypes } from "../case_parts/schema.ts";
import type { TaskStatus } from "../case_parts/tasks.ts";
import { statuses as caseStatuses } from "../cases/lifecycle.ts";

export const Task = CaseTask.extend({
  case: z.object({
    id: z.uuid(),
    case_number: z.int().meta({ example: 17 }),
    status: z.enum(caseStatuses),
    account: z.object({ id: z.uuid(), name: z.string().nullable() }),
    contact: z.object({
      id: z.uuid(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      phone_number: z.string().nullable(),
    }),
  }),
}).meta({ id: "Task", description: "Work to do on a case by a time." });

const newTask = z.object({
  type: z.enum(taskTypes).meta({ example: "call" }),
  user_id: optional(integerId).meta({ description: "The assignee; default: the caller." }),
  start_at: timestamp,
  end_at: timestamp.meta({ example: "2026-01-31 11:00:00" }),
  note: optional(html(text(65_535))),
});
export type TaskBody = z.output<typeof newTask>;

/** A task that an activity plans. */
export const PlannedTask = inTime(newTask).meta({ id: "TaskCreate" });

/** A task of a case. */
export const TaskBody = inTime(orShownAs(newTask, { user_id: ["user", integerId] })).meta({
  id: "CaseTaskCreate",
  example: { type: "call", start_at: "2026-01-31 10:00:00", end_at: "2026-01-31 11:00:00" },
});

/** Refuses a task that ends before it starts. */
function inTime<S extends z.ZodType<Pick<TaskBody, "start_at" | "end_at">>>(schema: S): S {
  return schema.refine((task) => task.end_at >= task.start_at, {
    ...refusal("after", "Must not be before start_at."),
    path: ["end_at"],
  });
}

/** The members of a task that may change. */
export const TaskChange = orShownAs(
  z.object({
    type: z.enum(taskTypes).optional(),
    user_id: integerId.optional().meta({ description: "The assignee, a user who sees the case." }),
    start_at: timestamp.optional(),
    end_at: timestamp.optional().meta({ description: "Not before `start_at`." }),
    note: optional(html(text(65_535))),
    completed: z.boolean().optional().meta({ description: "`false` opens the task again." }),
  }),
  { user_id: ["user", integerId] },
).meta({ id: "TaskChange", example: { completed: true } });
export type TaskChange = z.output<typeof TaskChange>;

/** The columns that `sort` may name. */
export const taskSorts = { start_at: "start_at", end_at: "end_at" };

const csvTypes = csv.refine(
  (types) => types.every((type) => (taskTypes as readonly string[]).includes(type)),
  refusal("enum", `Each must be one of ${taskTypes.join(", ")}.`),
);

export const TaskListQuery = ordered(
  z.object({
    ...paging,
    ...sorting(taskSorts),
    show: z.enum(["mine", "team"]).optional().meta({
      description:
        "`mine`: the caller's own tasks; `team`: those of cases of the caller's teams; default: all visible.",
    }),
    status: csvOf(taskStatuses).optional().meta({ example: "overdue,pending" }),
    types: csvTypes.optional(),
    users: csvIntegers.optional(),
    case_ids: csvUuids.optional(),
    start_at: timestamp.optional().meta({ description: "Only tasks that end at or after this moment." }),
    end_at: timestamp.optional().meta({
      description: "Only tasks that start at or before this moment; after `start_at`.",
    }),
  }),
  "start_at",
  "end_at",
);
export type TaskListQuery = z.output<typeof TaskListQuery>;

export const TaskPage = pageOfSchema(Task, "TaskPage").extend({
  statuses: z.object({
    all: z.int(),
    ...Object.fromEntries(taskStatuses.map((status) => [status, z.int()])) as Record<TaskStatus, z.ZodInt>,
  }).meta({
    id: "TaskStatuses",
    description: "The number of tasks that match all filters except `status`.",
  }),
}).meta({ id: "TaskPage" });

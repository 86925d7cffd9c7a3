/** Wire shapes of tasks. */
import { z } from "@hono/zod-openapi";
import { csv, csvIntegers, csvUuids, integerId, optional, ordered, text, timestamp } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { UserSummary } from "../../customers/accounts/schema.ts";
import { taskStatuses } from "./stages.ts";

export const taskTypes = ["email", "call", "meeting", "remind_me", "letter"] as const;

/** A task that an activity plans. */
export const TaskBody = z.object({
  type: z.enum(taskTypes).openapi({ example: "call" }),
  user_id: optional(integerId).openapi({ description: "The assignee; default: the caller." }),
  start_at: timestamp,
  end_at: timestamp.openapi({ example: "2026-01-31 11:00:00" }),
  note: optional(text(65_535)),
}).refine((task) => task.end_at >= task.start_at, {
  ...refusal("after", "Must not be before start_at."),
  path: ["end_at"],
}).openapi("TaskCreate");
export type TaskBody = z.output<typeof TaskBody>;

/** The members of a task that may change. */
export const TaskChange = z.object({
  type: z.enum(taskTypes).optional(),
  user_id: integerId.optional().openapi({ description: "The assignee, a user who sees the case." }),
  start_at: timestamp.optional(),
  end_at: timestamp.optional().openapi({ description: "Not before `start_at`." }),
  note: optional(text(65_535)),
  completed: z.boolean().optional().openapi({ description: "`false` opens the task again." }),
}).openapi("TaskChange", { example: { completed: true } });
export type TaskChange = z.output<typeof TaskChange>;

export const Task = z.object({
  id: z.uuid(),
  case_id: z.uuid(),
  activity_id: z.uuid().nullable().openapi({ description: "The activity that planned it." }),
  type: z.enum(taskTypes),
  user: UserSummary.nullable(),
  start_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  end_at: z.string().openapi({ example: "2026-01-31 11:00:00" }),
  note: z.string().nullable(),
  status: z.enum(taskStatuses),
  completed_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}).openapi("Task", { description: "Work to do on a case by a time." });

/** The columns that `sort` may name. */
export const taskSorts = { start_at: "start_at" };

const csvTypes = csv.refine(
  (types) => types.every((type) => (taskTypes as readonly string[]).includes(type)),
  refusal("enum", `Must be of ${taskTypes.join(", ")}.`),
);

export const TaskListQuery = ordered(
  z.object({
    ...paging,
    ...sorting(taskSorts),
    show: z.enum(["mine", "team"]).optional().openapi({
      description:
        "`mine`: the caller's own tasks; `team`: those of cases of the caller's teams; default: all visible.",
    }),
    status: z.enum(taskStatuses).optional(),
    types: csvTypes.optional(),
    users: csvIntegers.optional(),
    case_ids: csvUuids.optional(),
    start_at: timestamp.optional().openapi({ description: "Only tasks that end at or after this moment." }),
    end_at: timestamp.optional().openapi({
      description: "Only tasks that start at or before this moment; after `start_at`.",
    }),
  }),
  "start_at",
  "end_at",
);
export type TaskListQuery = z.output<typeof TaskListQuery>;

export const TaskPage = pageOfSchema(Task, "TaskPage");

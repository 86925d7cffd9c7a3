/** A task by itself, and lists of tasks. */
import { z } from "zod";
import { csv, csvIntegers, csvUuids, makeCsvEnum, requireOrder, timestamp } from "../../http/zod.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { storedCaseStatuses as caseStatuses } from "../cases/lifecycle.ts";
import { CaseTask, type TaskStatus, taskStatuses, taskTypes } from "./record.ts";

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

/** The columns that `sort` may name. */
export const taskSorts = { start_at: "start_at", end_at: "end_at" };

const csvTypes = csv.refine(
  (types) => types.every((type) => (taskTypes as readonly string[]).includes(type)),
  refusal("enum", `Each must be one of ${taskTypes.join(", ")}.`),
);

export const TaskListQuery = requireOrder(
  z.object({
    ...paging,
    ...sorting(taskSorts),
    show: z.enum(["mine", "team"]).optional().meta({
      description:
        "`mine`: the caller's own tasks; `team`: those of cases of the caller's teams; default: all visible.",
    }),
    status: makeCsvEnum(taskStatuses).optional().meta({ example: "overdue,pending" }),
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

export const TaskPage = describePage(Task, "TaskPage").extend({
  statuses: z.object({
    all: z.int(),
    ...Object.fromEntries(taskStatuses.map((status) => [status, z.int()])) as Record<TaskStatus, z.ZodInt>,
  }).meta({
    id: "TaskStatuses",
    description: "The number of tasks that match all filters except `status`.",
  }),
}).meta({ id: "TaskPage" });

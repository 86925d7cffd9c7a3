/** Wire shapes of tasks. */
import { z } from "@hono/zod-openapi";
import { integerId, optional, text, timestamp } from "../../http/fields.ts";
import { refusal } from "../../http/validate.ts";
import { UserSummary } from "../../customers/accounts/schema.ts";
import { taskStatuses } from "./present.ts";

export const taskTypes = ["email", "call", "meeting", "remind_me", "letter"] as const;

/** A task that an activity plans. */
export const TaskBody = z.object({
  type: z.enum(taskTypes).openapi({ example: "call" }),
  user_id: optional(integerId).openapi({ description: "Who is to do it; the caller when absent." }),
  start_at: timestamp,
  end_at: timestamp.openapi({ example: "2026-01-31 11:00:00" }),
  note: optional(text(65_535)),
}).refine((task) => task.end_at >= task.start_at, {
  ...refusal("after", "Must not be before start_at."),
  path: ["end_at"],
}).openapi("TaskCreate");
export type TaskBody = z.output<typeof TaskBody>;

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
}).openapi("Task", { description: "Something to be done on a case by a time." });

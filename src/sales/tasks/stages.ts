/**
 * The status of a task depends on the clock. The column `stage` stores the status of the last write or the
 * last run of the timer, so that lists and counters use it like any other column; the few rows whose status
 * has changed since are checked one by one. Only the timer sets `overdue`, since it notifies then.
 */
import { identifier, indexed, type Sql, sql } from "../../db/statements.ts";

export const taskStatuses = ["pending", "later", "completed", "overdue"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

interface Times {
  readonly completed_at: string | null;
  readonly start_at: string;
  readonly end_at: string;
}

/** Returns the status of a task at a timestamp. */
export function taskStatus(task: Times, at: string): TaskStatus {
  if (task.completed_at !== null) return "completed";
  if (task.end_at < at) return "overdue";
  return task.start_at > at ? "later" : "pending";
}

/** SQL: whether the task of an alias has the status at a timestamp. A plus before it avoids indexes. */
export function hasStatus(own: Sql, status: TaskStatus, at: string): Sql {
  const open = sql`${own}.completed_at is null`;
  if (status === "completed") return sql`${own}.completed_at is not null`;
  if (status === "overdue") return sql`(${open} and ${own}.end_at < ${at})`;
  if (status === "later") return sql`(${open} and ${own}.start_at > ${at})`;
  return sql`(${open} and ${own}.start_at <= ${at} and ${own}.end_at >= ${at})`;
}

/** Returns the stage to store at a timestamp. */
export function stageOf(task: Times, at: string): TaskStatus {
  const status = taskStatus(task, at);
  return status === "overdue" ? "pending" : status;
}

/**
 * SQL: conditions for the tasks whose status may differ from their stage. The conditions are disjoint, each
 * with an index of its own: stages that have ended, and stages that a fast clock set too early.
 */
export function elsewhere(alias: string, at: string): Sql[] {
  return [
    indexed("alone", sql`${identifier(alias, "stage_ends_at")} <= ${at}`),
    indexed(
      "in company",
      sql`${identifier(alias, "stage")} = 'overdue' and ${identifier(alias, "end_at")} >= ${at}`,
    ),
    indexed(
      "in company",
      sql`${identifier(alias, "stage")} = 'pending' and ${identifier(alias, "start_at")} > ${at}`,
    ),
  ];
}

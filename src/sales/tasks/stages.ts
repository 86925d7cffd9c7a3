/**
 * The status of a task depends on the clock. The column `stage` stores the status of the last write or the
 * last run of the timer, so that lists and counters use it like any other column; the few rows whose status
 * has changed since are checked one by one. Only the timer sets `overdue`, since it notifies then.
 */
import { indexed, rawSql, type Sql, sql } from "../../db/statements.ts";

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

/** SQL: whether the task of the alias has the status at a timestamp. */
export function hasStatus(alias: string, status: TaskStatus, at: string): Sql {
  const open = `${alias}.completed_at is null`;
  if (status === "completed") return sql`${rawSql(alias)}.completed_at is not null`;
  if (status === "overdue") return sql`(${rawSql(open)} and ${rawSql(alias)}.end_at < ${at})`;
  if (status === "later") return sql`(${rawSql(open)} and ${rawSql(alias)}.start_at > ${at})`;
  return sql`(${rawSql(open)} and ${rawSql(alias)}.start_at <= ${at} and ${rawSql(alias)}.end_at >= ${at})`;
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
    indexed("alone", sql`${rawSql(alias)}.stage_ends_at <= ${at}`),
    indexed("in company", sql`${rawSql(alias)}.stage = 'overdue' and ${rawSql(alias)}.end_at >= ${at}`),
    indexed("in company", sql`${rawSql(alias)}.stage = 'pending' and ${rawSql(alias)}.start_at > ${at}`),
  ];
}

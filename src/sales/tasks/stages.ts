/**
 * Where tasks stand. That goes by the clock, so no row can tell it by itself. A row keeps its stage: where it
 * stood when the clock was last looked at, by whoever changed the task or by the job that moves what is due.
 * So each stage can be counted and listed like any other column, and the few rows that the clock has gone
 * past meanwhile are looked at one by one. Only the job makes a task `overdue`, as it tells of it then.
 */
import { raw, type Sql } from "../../db/statements.ts";

export const taskStatuses = ["pending", "later", "completed", "overdue"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

interface Times {
  readonly completed_at: string | null;
  readonly start_at: string;
  readonly end_at: string;
}

/** Where a task stands at a moment (a wire timestamp). */
export function taskStatus(task: Times, at: string): TaskStatus {
  if (task.completed_at !== null) return "completed";
  if (task.end_at < at) return "overdue";
  return task.start_at > at ? "later" : "pending";
}

/** The same in SQL, for a task of the alias. */
export function hasStatus(alias: string, status: TaskStatus, at: string): Sql {
  const open = `${alias}.completed_at is null`;
  if (status === "completed") return raw(`${alias}.completed_at is not null`);
  if (status === "overdue") return raw(`(${open} and ${alias}.end_at < ?)`, at);
  if (status === "later") return raw(`(${open} and ${alias}.start_at > ?)`, at);
  return raw(`(${open} and ${alias}.start_at <= ? and ${alias}.end_at >= ?)`, at, at);
}

/** The stage of a task that is written at a moment. */
export function stageOf(task: Times, at: string): TaskStatus {
  const status = taskStatus(task, at);
  return status === "overdue" ? "pending" : status;
}

/** SQL: tasks of the alias that the clock has reached the end of their stage of; those may stand elsewhere. */
export function turning(alias: string, at: string): Sql {
  return raw(`${alias}.turns_at <= ?`, at);
}

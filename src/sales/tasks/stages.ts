/**
 * Where tasks stand. That goes by the clock, so no row can tell it by itself. A row keeps its stage: where it
 * stood when the clock was last looked at, by whoever changed the task or by the job that moves what is due.
 * So each stage can be counted and listed like any other column, and the few rows that stand elsewhere by now
 * are looked at one by one. Only the job makes a task `overdue`, as it tells of it then.
 */
import { indexed, rawSql, type Sql, sql } from "../../db/statements.ts";

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
  if (status === "completed") return sql`${rawSql(alias)}.completed_at is not null`;
  if (status === "overdue") return sql`(${rawSql(open)} and ${rawSql(alias)}.end_at < ${at})`;
  if (status === "later") return sql`(${rawSql(open)} and ${rawSql(alias)}.start_at > ${at})`;
  return sql`(${rawSql(open)} and ${rawSql(alias)}.start_at <= ${at} and ${rawSql(alias)}.end_at >= ${at})`;
}

/** The stage of a task that is written at a moment. */
export function stageOf(task: Times, at: string): TaskStatus {
  const status = taskStatus(task, at);
  return status === "overdue" ? "pending" : status;
}

/**
 * SQL: the tasks of the alias that may stand elsewhere than their stage says, in parts that share none and have an
 * index each: those that the clock has gone past, and those of a clock that was ahead of this one.
 */
export function elsewhere(alias: string, at: string): Sql[] {
  return [
    indexed("alone", sql`${rawSql(alias)}.turns_at <= ${at}`),
    indexed("in company", sql`${rawSql(alias)}.stage = 'overdue' and ${rawSql(alias)}.end_at >= ${at}`),
    indexed("in company", sql`${rawSql(alias)}.stage = 'pending' and ${rawSql(alias)}.start_at > ${at}`),
  ];
}

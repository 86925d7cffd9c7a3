/**
 * The status of a task depends on the clock. The column `stage` stores the status of the last write or the
 * last run of the timer, so that lists and counters use it like any other column; the few rows whose status
 * has changed since are checked one by one. Only the timer sets `overdue`, since it notifies then.
 */
import { type Scope, testScope } from "../../db/scope.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { computeTaskStatus, type TaskStatus, type TaskTimes } from "./record.ts";

/**
 * SQL: whether the task of an alias has the status at a timestamp. A plus before the alias avoids indexes.
 */
export function hasStatus(own: Sql, status: TaskStatus, at: string): Sql {
  const open = sql`${own}.completed_at is null`;
  if (status === "completed") return sql`${own}.completed_at is not null`;
  if (status === "overdue") return sql`(${open} and ${own}.end_at < ${at})`;
  if (status === "later") return sql`(${open} and ${own}.start_at > ${at})`;
  return sql`(${open} and ${own}.start_at <= ${at} and ${own}.end_at >= ${at})`;
}

/** Returns the stage to store at a timestamp. */
export function computeStage(task: TaskTimes, at: string): TaskStatus {
  const status = computeTaskStatus(task, at);
  return status === "overdue" ? "pending" : status;
}

/**
 * SQL: conditions for the tasks of the scope whose status may differ from their stage. The conditions are
 * disjoint, each with an index of its own: stages that have ended, and stages that a fast clock set too early.
 */
export function elsewhere(scope: Scope, alias: string, at: string): Sql[] {
  const of = (name: string) => identifier(alias, name);
  const [seen, company] = [testScope(scope, alias), sql`${of("company_id")} = ${scope.companyId}`];
  return [
    sql`${of("stage_ends_at")} <= ${at} and ${seen}`,
    sql`${company} and ${of("stage")} = 'overdue' and ${of("end_at")} >= ${at} and ${seen}`,
    sql`${company} and ${of("stage")} = 'pending' and ${of("start_at")} > ${at} and ${seen}`,
  ];
}

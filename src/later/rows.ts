/** The rows of a queue: what its tables have, and how a claimed row is named and given back. */
import { identifier, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";

/** A claimed row. */
export interface RowTask {
  readonly id: string | number;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** Whose turn it is; missing in queues without turns. */
  readonly turn?: number;
  /** Returns the milliseconds until the slot of the task; 0 in queues without a rate. */
  waitFor(): number;
}

/** The rows of a queue: those of `table` for which `waiting` holds, which have `id`, `due_at` and `attempts`. */
export interface Rows {
  readonly table: string;
  /** A partial index over the equalities of `waiting`, then `due_at` and `id`. */
  readonly index: string;
  /** SQL: the row waits for an attempt. Has no alias. */
  readonly waiting: Sql;
  /** SQL of the columns of a task, besides `id` and `attempts`. */
  readonly columns: Sql;
  /** The column of the turns, and a partial index over the equalities of `waiting`, that column, `due_at` and `id`. */
  readonly turns?: { readonly column: string; readonly index: string };
  /** Attempts a second, all processes together; 0: no limit. */
  readonly rate: number;
  /** Milliseconds of a claim, longer than the longest attempt, and those of it that are kept for an attempt. */
  readonly ms: number;
  readonly attemptMs: number;
}

/** Makes a row due at `due` and does not count the attempt: as if it had not been claimed. */
export function giveBack(rows: Rows, task: Pick<RowTask, "id" | "attempts">, due: number): Statement {
  return sql`update ${identifier(rows.table)} set due_at = ${due}, attempts = attempts - 1
    where ${isUntouched(rows, task)}`;
}

/** SQL: this process still has the row. Another one that took it over has counted one more attempt. */
export function isUntouched({ waiting }: Rows, { id, attempts }: Pick<RowTask, "id" | "attempts">): Sql {
  return sql`id = ${id} and ${waiting} and attempts = ${attempts}`;
}

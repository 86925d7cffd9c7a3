/** The rows of a queue: what its tables have, and how a claimed row is named and given back. */
import type { HeldQueue } from "../core/held_queues.ts";
import type { Retry } from "../core/retries.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import { DatabaseUnavailable, type Statement, TookTooLong } from "../platform/database/database.ts";
import { StorageUnavailable } from "../platform/storage/storage.ts";

/**
 * Whether a task failed because the database or the storage is full or away: the task is not at fault. A read that
 * took too long is, as it would usually take as long again.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof TookTooLong) return false;
  return error instanceof DatabaseUnavailable ||
    error instanceof StorageUnavailable;
}

/** Whose rows they are, for example a company or a campaign. */
export type Turn = number | string;

/** A claimed row. */
export interface RowTask {
  readonly id: string | number;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** Whose turn it is; missing in queues without turns. */
  readonly turn?: Turn;
  /** Returns the milliseconds until the slot of the task; 0 in queues without a rate. */
  waitFor(): number;
}

/**
 * The rows of a queue: those of `table` for which `waiting` holds, which have `id`, `due_at` and `attempts`, and
 * `claims` unless a second attempt shows nobody anything.
 */
export interface Rows {
  readonly table: string;
  /** The queue as which an operator can hold it; missing: nothing of it leaves the service. */
  readonly held?: HeldQueue;
  /** A partial index over the equalities of `waiting`, then `due_at` and, in a queue without turns, `id`. */
  readonly index: string;
  /** SQL: the row waits for an attempt. Has no alias. */
  readonly waiting: Sql;
  /** SQL of the columns of a task, besides `id` and `attempts`. */
  readonly columns: Sql;
  readonly turns?: RowTurns;
  /** SQL: nothing is claimed at `now` (epoch milliseconds), because other work goes first. A run waits for its end. */
  readonly yields?: (now: number) => Sql;
  /** SQL of what a claim changes besides: `column = value`. */
  readonly marks?: Sql;
  /** SQL of what it changes back when the row waits again: `column = value`. */
  readonly unmarks?: Sql;
  /** The most rows that all processes together have in hand, and SQL of a row in hand. */
  readonly everywhere?: { readonly most: number; readonly isInHand: Sql };
  /**
   * A second attempt shows nobody anything. A row that this process has in hand may then be claimed again, once its
   * lease has ended.
   */
  readonly mayRepeat?: true;
  /**
   * The most milliseconds by which a row is due ahead of the clock that writes it: its longest retry, or what users
   * choose. A row that is due later was written by a clock that was ahead, and becomes due at once.
   */
  readonly longestWait: number;
  /** Attempts a second, all processes together; 0: no limit. */
  readonly rate: number;
  /** Milliseconds of a claim, longer than the longest attempt, and those of it that are kept for an attempt. */
  readonly ms: number;
  readonly attemptMs: number;
  /** An attempt can last for longer than a lease, for example while a mail server is silent. It renews its lease. */
  readonly mayLast?: true;
}

/** Turns, so that many rows of one do not delay the single row of another. */
export interface RowTurns {
  readonly column: string;
  /** A partial index over the equalities of `waiting`, the column, `due_at` and `id`. */
  readonly index: string;
  /** A select of the turns, as `turn`, that may be served. Missing: all that wait. */
  readonly among?: Sql;
}

/** Makes a row due at `due` and does not count the attempt: as if it had not been claimed. */
export function giveBack(
  rows: Rows,
  task: Pick<RowTask, "id" | "attempts">,
  due: number,
): Statement {
  return sql`update ${identifier(rows.table)} set due_at = ${due},
    attempts = attempts - 1${waitAgain(rows)} where ${isUntouched(rows, task)}`;
}

/**
 * Makes the lease of a row last until `end` at least, while this process still has it. If others found it overdue,
 * they have to find that again before they attempt it.
 */
export function renew(rows: Rows, task: Pick<RowTask, "id" | "attempts">, end: number): Statement {
  const claims = rows.mayRepeat ? sql`` : sql`, claims = claims | 1`;
  return sql`update ${identifier(rows.table)} set due_at = max(due_at, ${end})${claims}
    where ${isUntouched(rows, task)}`;
}

/** Makes a row due again after an attempt that failed for this `reason` (absent: none is kept). */
export function retryAt(
  rows: Rows,
  task: Pick<RowTask, "id" | "attempts">,
  { due, counts }: Retry,
  reason?: string,
): Statement {
  const error = reason === undefined ? sql`` : sql`, error = ${reason}`;
  const attempts = counts ? sql`` : sql`, attempts = attempts - 1`;
  return sql`update ${identifier(rows.table)} set due_at = ${due}${attempts}${waitAgain(rows)}${error}
    where ${isUntouched(rows, task)}`;
}

/** SQL of what else changes in a row that waits again. */
export function waitAgain({ mayRepeat, unmarks }: Rows): Sql {
  return sql`${mayRepeat ? sql`` : sql`, claims = 0`}${unmarks ? sql`, ${unmarks}` : sql``}`;
}

/** SQL: this process still has the row. Another one that took it over has counted one more attempt. */
export function isUntouched(
  { waiting }: Rows,
  { id, attempts }: Pick<RowTask, "id" | "attempts">,
): Sql {
  return sql`id = ${id} and ${waiting} and attempts = ${attempts}`;
}

/**
 * What is done later: tasks that are attempted until they succeed or give up. A feature describes its queue, and
 * one loop runs all queues; see `Loop`. Processes share the work, and leases of a process that dies end by
 * themselves.
 */
import type { RetryClock } from "../core/retries.ts";
import type { Row, Statement } from "../platform/database/database.ts";

/** How a feature's tasks are attempted, and how their results are recorded. */
export interface Queue<T, R> {
  readonly limits: Limits;
  /** Makes the line of a turn: its pace and its tasks in hand. */
  readonly line: () => Line<T, R>;
  /** Begins what the tasks of a claim share, for example one read. Never throws; the attempts see a failure. */
  readonly prepare?: (tasks: readonly T[]) => void;
  /** Attempts a task once. A failure is a result. Reads `now` (epoch milliseconds) after the attempt. */
  readonly attempt: (task: T, moment: Moment) => Promise<R>;
  /** Changes nothing about a task that another process has taken over. */
  readonly record: (results: readonly R[]) => readonly Statement[];
  /** Ends the run: the next task would fail too. */
  readonly isServerDown?: (result: R) => boolean;
}

/** The result of an attempt that brings its own statements. */
export interface Attempted {
  /** True if the task is not at fault, so that the next one would fail too. */
  readonly serverFailed: boolean;
  readonly recording: readonly Statement[];
}

export interface Moment extends RetryClock {
  /** Whether the lease is still long enough for an attempt. */
  readonly isHeld: () => boolean;
}

export interface Limits {
  /** Most simultaneous attempts that count as active: those that began a moment ago. */
  readonly active: number;
  /** Most simultaneous attempts in all. */
  readonly all: number;
  /** Makes way for calls of the API: the active attempts while it is busy. Missing: it does not. */
  readonly activeWhenBusy?: number;
  /** From this many attempts on, lines that do not answer get no other attempt. */
  readonly crowded?: number;
}

/** What a line is asked for with each claim. */
export interface LineState {
  /** Whether it has tasks in hand. */
  readonly isBusy: boolean;
  /** The number of tasks that it could take. */
  readonly capacity: number;
  /** Ids of the tasks in hand. */
  readonly taken: readonly string[];
}

/** The tasks of one turn (a target, or all rows of a queue) that this process has in hand, and their pace. */
export interface Line<T, R> {
  /** Running attempts and the pauses after them. */
  busy: number;
  /** Claimed tasks that have not begun. */
  queue: T[];
  add(task: T): void;
  state(): LineState;
  /** Takes the next task to attempt at `now` (`performance.now()`), or null. */
  next(now: number, isCrowded: boolean): T | null;
  /** Returns the milliseconds for which the attempt still counts as running. */
  noteAnswer(task: T, result: R, tookMs: number): number;
  /** Whether it could take more tasks, and the last claim supplied all that it asked for. */
  runsShort(): boolean;
}

/** What a run has claimed, and how it claims more. Each run has its own. `W`: what a wake names. */
export interface Lease<T, W> {
  /** Milliseconds of a claim, longer than the longest attempt. */
  readonly ms: number;
  /** Ids of the lines that exist from the start; the others come and go with claims. */
  readonly lines: readonly number[];
  /** Announces work that may be due. */
  want(wish: W): void;
  /** Returns what the run leaves to the next, which has it from then on; null: nothing. */
  leaveToNext(): W | null;
  /** Whether a claim may find something that the last one did not look for. */
  isOpen(): boolean;
  /** Whether to look again after a while. */
  isWaiting(): boolean;
  claim(now: number, lines: ReadonlyMap<number, LineState>): Claim<T>;
  /** Whether the lease of a task is still long enough for an attempt. */
  isHeld(task: T): boolean;
  /** Makes the lease of a task as long as one that begins at `now`. Missing: attempts end before their lease does. */
  readonly renewal?: { readonly everyMs: number; readonly renew: (task: T, now: number) => Statement };
  /** The results of these tasks are recorded. */
  noteRecorded(tasks: readonly T[]): void;
  /** Gives tasks back that were not attempted. */
  giveBack(now: number, tasks: readonly T[]): readonly Statement[];
  /** Gives back the lines, when no attempt is running. */
  release(now: number): readonly Statement[];
  /** The run is over: it has nothing in hand any more. */
  end?(): void;
}

export interface Claim<T> {
  readonly statements: readonly Statement[];
  /** Reads the results of the statements. */
  readonly read: (results: readonly Row[][]) => Claimed<T>;
}

export interface Claimed<T> {
  /** The lines that the run has now. */
  readonly lines: ReadonlySet<number>;
  /** The claimed tasks with their lines, in the order in which they begin. */
  readonly tasks: readonly (readonly [line: number, task: T])[];
}

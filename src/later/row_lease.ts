/**
 * Leases rows by moving their due time past the longest attempt, so that no other process takes them. If their
 * process dies, they become due again. No row is attempted twice because the database was held or away for longer
 * than a lease: a row whose lease ran out waits once more, so that a process that has attempted it can record it.
 */
import { readSlots } from "../db/mail_rate.ts";
import { stepRows } from "../db/expiry.ts";
import type { Database, Row, Statement } from "../platform/database/database.ts";
import type { Claim, Claimed, Lease, LineState } from "./queue.ts";
import { longestRetry } from "./recorder.ts";
import { bringBack, claimRows, takeBack } from "./row_claim.ts";
import { giveBack, renew, type Rows, type RowTask, type Turn } from "./rows.ts";
import { compareTurns } from "./turns.ts";

/** What a row has before the lease completes it to a task. `claims`: see `claimRows`. */
type Found = Row & Omit<RowTask, "waitFor"> & { readonly claims: number };

/** Milliseconds for which another process, which may just have tried in vain, can record or renew what it has first. */
const headStart = 2 * longestRetry;
/** Milliseconds between the end of the head start and the next claim of the run that waits for it. */
const afterHeadStart = 50;

/** Whether nobody recorded what became of the last claim. The row then waits for a while, and so does the run. */
function isOverdue({ claims }: Found): boolean {
  return claims % 2 === 0;
}

type Id = RowTask["id"];

/** Rows that this process has in hand: by table, then by id until when an attempt of them may begin. */
const inHand = new WeakMap<Database, Map<string, Map<Id, number>>>();

/** The turn that was served last, by what waits: a run may end before all have had one, and the next goes on there. */
const lastTurns = new WeakMap<Database, Map<string, Turn>>();

export class RowLease<T extends RowTask> implements Lease<T, undefined> {
  readonly ms: number;
  readonly lines = [0];
  readonly renewal: Lease<T, undefined>["renewal"];
  readonly #inHand: Map<Id, number>;
  readonly #lastTurns: Map<string, Turn>;
  readonly #name: string;
  #isWanted = true;
  #hasMore = false;
  /** Whether due rows wait, because other work goes first. */
  #yields = false;
  /** The turn that was served last. */
  #turn: Turn;
  /** Whether rows may be due later than any can be. */
  #mayBeFar = true;
  /** The ends of claims without an answer: they may have taken rows all the same. */
  #unanswered: number[] = [];
  /** When the rows that wait once more are due (`performance.now()`); null: none. */
  #againAt: number | null = null;
  /** The first claim: its `now`, and its `performance.now()`. That claim takes nothing that is due later than `now`. */
  #first: { readonly now: number; readonly begun: number } | null = null;

  constructor(readonly rows: Rows, db: Database) {
    this.ms = rows.ms;
    this.renewal = rows.mayLast &&
      { everyMs: rows.attemptMs / 4, renew: (task, now) => renew(rows, task, now + this.ms) };
    const tables = inHand.get(db) ?? new Map<string, Map<Id, number>>();
    inHand.set(db, tables);
    this.#inHand = tables.get(rows.table) ?? new Map();
    tables.set(rows.table, this.#inHand);
    this.#lastTurns = lastTurns.get(db) ?? new Map();
    lastTurns.set(db, this.#lastTurns);
    this.#name = JSON.stringify([rows.table, rows.waiting, rows.turns?.among]);
    this.#turn = this.#lastTurns.get(this.#name) ?? -1;
  }

  want(): void {
    this.#isWanted = true;
  }

  leaveToNext(): undefined | null {
    if (!this.#isWanted) return null;
    this.#isWanted = false;
    return undefined;
  }

  isOpen(): boolean {
    return this.#isWanted || this.#hasMore || this.isWaiting();
  }

  isWaiting(): boolean {
    return this.#yields || this.#againAt !== null;
  }

  claim(now: number, lines: ReadonlyMap<number, LineState>): Claim<T> {
    const { capacity } = lines.get(0)!;
    if (capacity === 0) {
      return { statements: [], read: () => ({ lines: new Set(this.lines), tasks: [] }) };
    }
    this.#isWanted = false;
    const asked = performance.now();
    if (this.#againAt !== null && asked >= this.#againAt) this.#againAt = null;
    const due = this.#dueBy(now);
    const most = this.rows.rate > 0 ? Math.max(1, Math.min(capacity, Math.floor(this.rows.rate))) : capacity;
    const back = this.#mayBeFar ? [bringBack(this.rows, now)] : [];
    const lost = this.#takeBack(due);
    const end = now + this.ms;
    this.#unanswered = [...this.#unanswered, end];
    return {
      statements: [
        ...back,
        ...lost,
        ...claimRows(this.rows, {
          now: due,
          end,
          again: due + headStart,
          inHand: this.rows.mayRepeat ? [] : [...this.#inHand.keys()],
          most,
          turn: this.#turn,
        }),
      ],
      read: (results) => {
        this.#unanswered = [];
        this.#mayBeFar = this.#mayBeFar && results[0]!.length === stepRows;
        return this.#read(results.slice(back.length + lost.length), asked);
      },
    };
  }

  /**
   * Takes back what claims without an answer have taken, unless their lease is over: then the rows are due. A row that
   * nobody may attempt twice waits for that.
   */
  #takeBack(now: number): Statement[] {
    this.#unanswered = this.rows.mayRepeat ? this.#unanswered.filter((end) => end > now) : [];
    if (this.#unanswered.length === 0) return [];
    return [takeBack(this.rows, { now, ends: this.#unanswered, inHand: [...this.#inHand.keys()] })];
  }

  /** What a claim at `now` takes as due: time passes during a run, also where its clock stands still. */
  #dueBy(now: number): number {
    const asked = performance.now();
    this.#first ??= { now, begun: asked };
    return Math.max(now, Math.floor(this.#first.now + asked - this.#first.begun));
  }

  #read(results: readonly Row[][], asked: number): Claimed<T> {
    const { rate, attemptMs, mayRepeat } = this.rows;
    const found = results[0] as Found[];
    const turn = this.#turn;
    const ordered = found.toSorted((one, other) =>
      compareTurns(turn, one, other) || (one.id < other.id ? -1 : 1)
    );
    const { more, yields } = results.at(-1)![0]!;
    this.#hasMore = found.length > 0 && more === 1;
    this.#yields = found.length === 0 && more === 1 && yields === 1;
    this.#turn = ordered.at(-1)?.turn ?? turn;
    this.#lastTurns.set(this.#name, this.#turn);
    const waitFor = rate > 0 ? readSlots(results[1]!, rate) : () => 0;
    const tasks = ordered.flatMap((row, index): T[] => {
      if (!mayRepeat && isOverdue(row)) {
        this.#againAt = asked + headStart + afterHeadStart;
        return [];
      }
      return [{ ...row, waitFor: () => waitFor(ordered.length - index) } as RowTask as T];
    });
    for (const { id } of tasks) this.#inHand.set(id, asked + this.ms - attemptMs);
    return { lines: new Set(this.lines), tasks: tasks.map((task) => [0, task]) };
  }

  isHeld(task: T): boolean {
    return performance.now() < (this.#inHand.get(task.id) ?? 0);
  }

  noteRecorded(tasks: readonly T[]): void {
    for (const task of tasks) this.#inHand.delete(task.id);
  }

  giveBack(now: number, tasks: readonly T[]): Statement[] {
    return tasks.map((task) => giveBack(this.rows, task, now));
  }

  release(now: number): Statement[] {
    return this.#takeBack(now);
  }
}

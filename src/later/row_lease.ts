/**
 * Leases rows by moving their due time past the longest attempt, so that no other process takes them. If their
 * process dies, they become due again. No row is attempted twice because the database was held or away for longer
 * than a lease: such claims are undone, so that the process that has attempted the row can record it.
 */
import { slotsOf } from "../db/mail_rate.ts";
import { stepRows } from "../db/expiry.ts";
import type { Database, Row, Statement } from "../platform/database/database.ts";
import type { Claim, Claimed, Lease, Standing } from "./queue.ts";
import { bringBack, claimRows } from "./row_claim.ts";
import { giveBack, type Rows, type RowTask, type Turn } from "./rows.ts";
import { compareTurns } from "./turns.ts";

/** What a row has before the lease completes it to a task. */
type Found = Row & Omit<RowTask, "waitFor">;

/** Milliseconds: the accuracy with which the age of a run lengthens its leases. */
const step = 10_000;

/**
 * Milliseconds for a claim. A claim that takes longer waited for a database that was held or away. The lease of
 * its rows may have run out meanwhile, while another process could not record that it attempted them.
 */
const longClaim = 1_000;
/** Milliseconds for which other processes can record their results first. */
const headStart = 2_000;

/** Rows that this process has in hand, by table and id, and until when an attempt of them may begin. */
const inHand = new WeakMap<Database, Map<string, number>>();

/** The turn that was served last, by what waits: a run may end before all have had one, and the next goes on there. */
const lastTurns = new WeakMap<Database, Map<string, Turn>>();

export class RowLease<T extends RowTask> implements Lease<T, undefined> {
  readonly ms: number;
  readonly lines = [0];
  readonly #begun = performance.now();
  readonly #inHand: Map<string, number>;
  readonly #lastTurns: Map<string, Turn>;
  readonly #name: string;
  #isWanted = true;
  #hasMore = false;
  /** Whether due rows wait, because other work goes first. */
  #yields = false;
  /** The turn that was served last. */
  #turn: Turn;
  /** Whether rows may be due later than any retry. */
  #mayBeFar = true;
  /** Until when it claims nothing (`performance.now()`), so that others record their results. */
  #pausedUntil = 0;

  /** `isFixed`: the `now` of the claims does not move during the run. */
  constructor(readonly rows: Rows, db: Database, readonly isFixed: boolean) {
    this.ms = rows.ms;
    this.#inHand = inHand.get(db) ?? new Map();
    inHand.set(db, this.#inHand);
    this.#lastTurns = lastTurns.get(db) ?? new Map();
    lastTurns.set(db, this.#lastTurns);
    this.#name = JSON.stringify([rows.table, rows.waiting, rows.turns?.among]);
    this.#turn = this.#lastTurns.get(this.#name) ?? -1;
  }

  want(): void {
    this.#isWanted = true;
  }

  left(): undefined | null {
    return this.#isWanted ? undefined : null;
  }

  isOpen(): boolean {
    return this.#isWanted || this.#hasMore || this.#yields;
  }

  isWaiting(): boolean {
    return this.#yields || this.#isPaused();
  }

  #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  claim(now: number, standing: ReadonlyMap<number, Standing>): Claim<T> {
    const { room } = standing.get(0)!;
    if (room === 0 || this.#isPaused()) {
      return { statements: [], read: () => ({ lines: new Set(this.lines), tasks: [] }) };
    }
    this.#isWanted = false;
    const asked = performance.now();
    const most = this.rows.rate > 0 ? Math.max(1, Math.min(room, Math.floor(this.rows.rate))) : room;
    const back = this.#mayBeFar ? [bringBack(this.rows, now)] : [];
    return {
      statements: [...back, ...claimRows(this.rows, { now, end: this.#endOf(now), most, turn: this.#turn })],
      read: (results, tookMs) => {
        this.#mayBeFar = this.#mayBeFar && results[0]!.length === stepRows;
        return this.#read(results.slice(back.length), { now, asked, isLate: tookMs > longClaim });
      },
    };
  }

  /** The end of a lease that begins at `now`. */
  #endOf(now: number): number {
    const age = this.isFixed ? performance.now() - this.#begun : 0;
    return now + this.ms + Math.floor(age / step) * step;
  }

  #read(
    results: readonly Row[][],
    { now, asked, isLate }: { readonly now: number; readonly asked: number; readonly isLate: boolean },
  ): Claimed<T> {
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
    const waitFor = rate > 0 ? slotsOf(results[1]!, rate) : () => 0;
    const tasks = ordered.map((row, index) =>
      ({ ...row, waitFor: () => waitFor(ordered.length - index) }) as T
    );
    const undone = mayRepeat
      ? []
      : isLate
      ? tasks
      : tasks.filter((task) => this.#inHand.has(this.#key(task)));
    const kept = tasks.filter((task) => !undone.includes(task));
    for (const task of kept) this.#inHand.set(this.#key(task), asked + this.ms - attemptMs);
    if (undone.length > 0) this.#pausedUntil = performance.now() + headStart;
    return {
      lines: new Set(this.lines),
      tasks: kept.map((task) => [0, task]),
      undo: undone.map((task) => giveBack(this.rows, task, now + headStart)),
    };
  }

  isHeld(task: T): boolean {
    return performance.now() < (this.#inHand.get(this.#key(task)) ?? 0);
  }

  recorded(tasks: readonly T[]): void {
    for (const task of tasks) this.#inHand.delete(this.#key(task));
  }

  release(now: number, tasks: readonly T[]): Statement[] {
    return tasks.map((task) => giveBack(this.rows, task, now));
  }

  #key({ id }: T): string {
    return `${this.rows.table} ${id}`;
  }
}

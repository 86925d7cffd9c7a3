/**
 * Leases whole turns, for example targets, in the table `leases`: one process at a time has a turn, and no row of
 * its tasks is written before it is attempted.
 */
import { sql } from "../db/statements.ts";
import type { Database, Row, Statement } from "../platform/database/database.ts";
import type { Claim, Claimed, Lease, LineState } from "./queue.ts";

/** Milliseconds beyond the lease of another process for which a run goes on to ask for its turns. */
const beyondLease = 250;

/** Turns that may have due tasks, and groups of them. */
export interface TurnWish {
  readonly groups?: Iterable<number>;
  readonly turns?: Iterable<number>;
}

export interface TurnClaim {
  /** Unique name of the run. */
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Groups of turns, and turns, that may have due tasks. */
  readonly groups: readonly number[];
  readonly turns: readonly number[];
  /** Turns of the holder: whether it has tasks of them in hand, and how many more it can take. */
  readonly held: readonly { readonly id: number; readonly isBusy: boolean; readonly capacity: number }[];
  /** What this process has in hand of the turns that can take more, and of those of other runs: no claim returns it. */
  readonly taken: readonly string[];
}

export interface ClaimedTurns<T> {
  /** Turns that the holder has now, each with due or running tasks. */
  readonly held: ReadonlySet<number>;
  /** In the order of their due times. */
  readonly due: readonly T[];
  /** True when another run has due tasks of the given groups and turns. */
  readonly isRefused: boolean;
}

/** How the turns of a queue are claimed. */
export interface Turns<T> {
  /** The names of their leases begin with it. */
  readonly prefix: string;
  /** Milliseconds of a claim, longer than the longest attempt; renewed while a turn has tasks. */
  readonly ms: number;
  /** Most new turns of a claim. */
  readonly mostNew: number;
  readonly getTurn: (task: T) => number;
  readonly getId: (task: T) => string;
  /** Releases idle turns, claims or renews turns with due tasks, and reads these tasks. */
  readonly claim: (claim: TurnClaim) => readonly Statement[];
  /** Reads the results of `claim`. */
  readonly readClaimed: (results: readonly Row[][]) => ClaimedTurns<T>;
}

/**
 * The runs of this process. A lease goes by the clock: after a jump it can end during its run, and another run of the
 * same process takes its turns over. What the first one has in hand stays its own.
 */
const runs = new WeakMap<Database, Set<TurnLease<unknown>>>();

export class TurnLease<T> implements Lease<T, TurnWish> {
  readonly ms: number;
  readonly lines = [];
  readonly #groups = new Set<number>();
  readonly #turns: number[] = [];
  #held: ReadonlySet<number> = new Set();
  #refusedUntil: number | null = null;
  /** Tasks that the run has claimed and not recorded. They count until it ends, however long a record takes. */
  #inHand = new Set<string>();
  readonly #runs: Set<TurnLease<unknown>>;

  /** `holder`: a unique name of the run. */
  constructor(readonly how: Turns<T>, readonly holder: string, db: Database, wish: TurnWish) {
    this.ms = how.ms;
    this.#runs = runs.get(db) ?? new Set();
    runs.set(db, this.#runs);
    this.want(wish);
  }

  want({ groups = [], turns = [] }: TurnWish): void {
    for (const id of groups) this.#groups.add(id);
    this.#turns.push(...turns);
  }

  leaveToNext(): TurnWish | null {
    if (!this.isOpen()) return null;
    const left = { groups: [...this.#groups], turns: this.#turns.splice(0) };
    this.#groups.clear();
    return left;
  }

  isOpen(): boolean {
    return this.#groups.size + this.#turns.length > 0;
  }

  isWaiting(): boolean {
    return this.#refusedUntil !== null || this.#turns.length > 0;
  }

  claim(now: number, lines: ReadonlyMap<number, LineState>): Claim<T> {
    const { how, holder } = this;
    const groups = [...this.#groups];
    const turns = this.#turns.splice(0, how.mostNew).filter((id) => !lines.has(id));
    this.#groups.clear();
    const held = [...lines].map(([id, { isBusy, capacity }]) => ({ id, isBusy, capacity }));
    const states = [...lines.values()];
    const inHand = states.flatMap((one) => one.taken);
    // No tasks of a turn that can take no more are read.
    const open = states.filter(({ capacity }) => capacity > 0);
    const taken = [...open.flatMap((one) => one.taken), ...this.#elsewhere()];
    this.#runs.add(this as TurnLease<unknown>);
    return {
      statements: how.claim({ holder, now, groups, turns, held, taken }),
      read: (results) => {
        const claimed = how.readClaimed(results);
        this.#inHand = new Set([...inHand, ...claimed.due.map(how.getId)]);
        return this.#read(claimed, { groups, turns });
      },
    };
  }

  /** The tasks that other runs of this process have in hand. */
  #elsewhere(): string[] {
    return [...this.#runs].flatMap((run) =>
      run.how.prefix !== this.how.prefix || run === this ? [] : [...run.#inHand]
    );
  }

  /** Tries turns of another run again, for as long as the lease of a dead one could last. */
  #read({ held, due, isRefused }: ClaimedTurns<T>, asked: TurnWish): Claimed<T> {
    this.#held = held;
    if (!isRefused) this.#refusedUntil = null;
    else this.#refusedUntil ??= performance.now() + this.ms + beyondLease;
    if (this.#refusedUntil !== null && performance.now() < this.#refusedUntil) this.want(asked);
    return { lines: held, tasks: due.map((task) => [this.how.getTurn(task), task]) };
  }

  isHeld(): boolean {
    return true;
  }

  noteRecorded(tasks: readonly T[]): void {
    for (const task of tasks) this.#inHand.delete(this.how.getId(task));
  }

  end(): void {
    this.#runs.delete(this as TurnLease<unknown>);
  }

  /** Nothing is written: tasks are claimed with their turns. */
  giveBack(): Statement[] {
    return [];
  }

  release(): Statement[] {
    if (this.#held.size === 0) return [];
    this.want({ turns: this.#held });
    return [
      sql`delete from leases where holder = ${this.holder} and name like ${`${this.how.prefix}%`}`,
    ];
  }
}

/**
 * Leases whole turns, for example targets, in the table `leases`: one process at a time has a turn, and no row of
 * its tasks is written before it is attempted.
 */
import { sql } from "../db/statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import type { Claim, Claimed, Lease, Standing } from "./queue.ts";

/** Milliseconds for which a turn of another process is tried again, beyond its lease. */
const lookAgain = 250;

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
  readonly held: readonly { readonly id: number; readonly isBusy: boolean; readonly room: number }[];
  /** Tasks that the holder has in hand. */
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
  readonly turnOf: (task: T) => number;
  /** Releases idle turns, claims or renews turns with due tasks, and reads these tasks. */
  readonly claim: (claim: TurnClaim) => readonly Statement[];
  /** Reads the results of `claim`. */
  readonly claimed: (results: readonly Row[][]) => ClaimedTurns<T>;
}

export class TurnLease<T> implements Lease<T, TurnWish> {
  readonly ms: number;
  readonly lines = [];
  readonly #groups = new Set<number>();
  readonly #turns: number[] = [];
  #held: ReadonlySet<number> = new Set();
  #refusedUntil: number | null = null;

  /** `holder`: a unique name of the run. */
  constructor(readonly how: Turns<T>, readonly holder: string, wish: TurnWish) {
    this.ms = how.ms;
    this.want(wish);
  }

  want({ groups = [], turns = [] }: TurnWish): void {
    for (const id of groups) this.#groups.add(id);
    this.#turns.push(...turns);
  }

  left(): TurnWish | null {
    return this.isOpen() ? { groups: this.#groups, turns: this.#turns } : null;
  }

  isOpen(): boolean {
    return this.#groups.size + this.#turns.length > 0;
  }

  isWaiting(): boolean {
    return this.#refusedUntil !== null || this.#turns.length > 0;
  }

  claim(now: number, standing: ReadonlyMap<number, Standing>): Claim<T> {
    const { how, holder } = this;
    const groups = [...this.#groups];
    const turns = this.#turns.splice(0, how.mostNew).filter((id) => !standing.has(id));
    this.#groups.clear();
    const held = [...standing].map(([id, { isBusy, room }]) => ({ id, isBusy, room }));
    const taken = [...standing.values()].flatMap((one) => one.taken);
    return {
      statements: how.claim({ holder, now, groups, turns, held, taken }),
      read: (results) => this.#read(how.claimed(results), { groups, turns }),
    };
  }

  /** Tries turns of another run again, for as long as the lease of a dead one could last. */
  #read({ held, due, isRefused }: ClaimedTurns<T>, asked: TurnWish): Claimed<T> {
    this.#held = held;
    if (!isRefused) this.#refusedUntil = null;
    else this.#refusedUntil ??= performance.now() + this.ms + lookAgain;
    if (this.#refusedUntil !== null && performance.now() < this.#refusedUntil) this.want(asked);
    return { lines: held, tasks: due.map((task) => [this.how.turnOf(task), task]) };
  }

  isHeld(): boolean {
    return true;
  }

  recorded(): void {}

  release(): Statement[] {
    if (this.#held.size === 0) return [];
    this.want({ turns: this.#held });
    return [
      sql`delete from leases where holder = ${this.holder} and name like ${`${this.how.prefix}%`}`,
    ];
  }
}

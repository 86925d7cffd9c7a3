/** Processes claimed rows with a few workers, for example to send mails or push messages. */
import {
  type Database,
  DatabaseUnavailable,
  type Row,
  type Statement,
} from "../platform/database/database.ts";
import { pause } from "../platform/pause.ts";

/**
 * Milliseconds that paced mail goes on in the background after the budget of its job, until the job of the next minute
 * takes over: `MAIL_RATE` is reached over a minute, and jobs still end in time for the next.
 */
export const overtimeMs = 15_000;

/** Milliseconds between tries to write a result. */
const recordingPause = 200;

/**
 * Milliseconds for a claim. A claim that takes longer waited for a database that was held or away. The lease of
 * its item may have run out meanwhile, while another process could not record that it sent it.
 */
const longClaim = 1_000;
/** Milliseconds for which other processes can record their results first. */
const headStart = 2_000;

/** Most simultaneous workers, unless a pool has fewer. */
const mostAtOnce = 5;

export interface Attempted {
  /** True if the item is not at fault, so that the next one would fail too. */
  readonly serverFailed: boolean;
  readonly recording: readonly Statement[];
}

/** How to claim an item and how to try it once. */
export interface Sending<T> {
  /**
   * Claims the item that has been due longest at `now` (epoch milliseconds), and reports whether there are
   * more.
   */
  readonly claim: (now: number) => readonly Statement[];
  /**
   * Reads the results of `claim`, which are the last of their batch; `taken` is null when nothing is due. By
   * default the last statement but one returns the item, and the last one returns whether there are `more`.
   */
  readonly claimed?: (results: readonly Row[][]) => { readonly taken: T | null; readonly more: boolean };
  /**
   * Never throws: a failure is a result. Reads `now` after the attempt. `isHeld`: whether the lease is still long
   * enough for an attempt.
   */
  readonly attempt: (taken: T, now: () => number, isHeld: () => boolean) => Promise<Attempted>;
  /** How items are sent once; null where a second attempt shows nobody anything. */
  readonly once: Once<T> | null;
}

export interface Once<T> {
  /** Milliseconds after a claim for which an attempt may begin; the rest of the lease is for its end. */
  readonly beginWithin: number;
  /** Names the claimed rows. */
  readonly keysOf: (taken: T) => readonly string[];
  /** Makes the rows due at `due` and does not count the attempt: as if they had not been claimed. */
  readonly giveBack: (taken: T, due: number) => readonly Statement[];
}

/** Rows that this process has claimed and whose results are not recorded yet. */
const rowsInHand = new WeakMap<Database, Set<string>>();

/** Up to five workers, each sending one item after the other, started when there is work. */
export class WorkerPool<T> {
  attempts = 0;
  /** Whether a worker ended because the budget was spent, so that more may be due. */
  isOutOfTime = false;
  #workers = 0;
  /** True when a run was requested while all workers were busy. */
  #wanted = false;

  /** `budget`: milliseconds after which a run starts nothing more; the next run continues. */
  constructor(
    readonly db: Database,
    readonly sending: Sending<T>,
    readonly now: () => number,
    readonly budget: number,
    /** Most simultaneous workers. */
    readonly most = mostAtOnce,
    /** Stops the pool when it is aborted. */
    readonly stopping?: AbortSignal,
  ) {}

  /** Sends until nothing is due, or the server does not answer. */
  async run(): Promise<void> {
    this.#wanted = this.#workers === this.most;
    if (this.#wanted || this.stopping?.aborted) return;
    this.#workers++;
    try {
      await this.#worker(performance.now() + this.budget);
    } finally {
      this.#workers--;
      // A worker that finds nothing may have looked just before new work arrived.
      if (this.#wanted) await this.run();
    }
  }

  async #worker(until: number): Promise<void> {
    const { claim, claimed, attempt, once } = this.sending;
    const others: Promise<unknown>[] = [];
    const inHand = rowsInHand.get(this.db) ?? new Set();
    rowsInHand.set(this.db, inHand);
    let results: readonly Statement[] = [];
    let keys: readonly string[] = [];
    const failures: unknown[] = [];
    const release = () => keys.forEach((key) => inHand.delete(key));
    try {
      while (!this.stopping?.aborted) {
        this.isOutOfTime = performance.now() >= until;
        if (this.isOutOfTime) break;
        const asked = performance.now();
        // One batch records the last result and claims the next item.
        const written = (await this.db.write([...results, ...claim(this.now())])).map(({ rows }) => rows);
        results = [];
        release();
        keys = [];
        const [items, counted] = written.slice(-2);
        const { taken, more } = claimed?.(written) ??
          { taken: items![0] as T | undefined ?? null, more: counted![0]!.more === 1 };
        if (taken === null) break;
        const rows = once?.keysOf(taken) ?? [];
        const isLate = performance.now() - asked > longClaim;
        if (once && (isLate || rows.some((key) => inHand.has(key)))) {
          results = once.giveBack(taken, this.now() + headStart);
          await this.#record(results);
          results = [];
          await pause(headStart, this.stopping);
          continue;
        }
        keys = rows;
        keys.forEach((key) => inHand.add(key));
        // Handled at once: the other worker may fail while this one still sends.
        if (more && this.#workers < this.most) others.push(this.run().catch((error) => failures.push(error)));
        const isHeld = () => !once || performance.now() - asked < once.beginWithin;
        const { serverFailed, recording } = await attempt(taken, this.now, isHeld);
        this.attempts++;
        results = recording;
        if (serverFailed) break;
      }
    } finally {
      if (results.length > 0) await this.#record(results).catch((error) => failures.unshift(error));
      release();
      await Promise.all(others);
    }
    if (failures.length > 0) throw failures[0];
  }

  #record(results: readonly Statement[]): Promise<unknown> {
    return recordPatiently(this, results);
  }
}

/**
 * Writes the result of an attempt, again and again while the database does not take it: a result that is lost
 * makes the next run send the same again.
 */
export async function recordPatiently(
  { db, stopping }: { readonly db: Database; readonly stopping?: AbortSignal | undefined },
  results: readonly Statement[],
): Promise<void> {
  while (true) {
    try {
      await db.write(results);
      return;
    } catch (error) {
      if (stopping?.aborted || !(error instanceof DatabaseUnavailable)) throw error;
    }
    await pause(recordingPause, stopping);
  }
}

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

/**
 * Milliseconds for which a result is written again while the database refuses it. A result that is lost makes the
 * next run send the same again.
 */
const recordingPatience = 300_000;
/** Milliseconds between these tries. */
const recordingPause = 200;

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
  /** Never throws: a failure is a result. Reads `now` after the attempt. */
  readonly attempt: (taken: T, now: () => number) => Promise<Attempted>;
}

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
    const { claim, claimed, attempt } = this.sending;
    const others: Promise<unknown>[] = [];
    let results: readonly Statement[] = [];
    const failures: unknown[] = [];
    try {
      while (!this.stopping?.aborted) {
        this.isOutOfTime = performance.now() >= until;
        if (this.isOutOfTime) break;
        // One batch records the last result and claims the next item.
        const written = (await this.db.write([...results, ...claim(this.now())])).map(({ rows }) => rows);
        results = [];
        const [items, counted] = written.slice(-2);
        const { taken, more } = claimed?.(written) ??
          { taken: items![0] as T | undefined ?? null, more: counted![0]!.more === 1 };
        if (taken === null) break;
        // Handled at once: the other worker may fail while this one still sends.
        if (more && this.#workers < this.most) others.push(this.run().catch((error) => failures.push(error)));
        const { serverFailed, recording } = await attempt(taken, this.now);
        this.attempts++;
        results = recording;
        if (serverFailed) break;
      }
    } finally {
      if (results.length > 0) await this.#record(results).catch((error) => failures.unshift(error));
      await Promise.all(others);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Writes the result of an attempt, again and again while the database does not take it. */
  async #record(results: readonly Statement[]): Promise<void> {
    const end = performance.now() + recordingPatience;
    while (true) {
      try {
        await this.db.write(results);
        return;
      } catch (error) {
        const isOver = this.stopping?.aborted || performance.now() >= end;
        if (isOver || !(error instanceof DatabaseUnavailable)) throw error;
      }
      await pause(recordingPause, this.stopping);
    }
  }
}

/** Writes the results of attempts, so that none is lost while the database is away and none takes another along. */
import {
  type Database,
  DatabaseUnavailable,
  type Row,
  type Statement,
} from "../platform/database/database.ts";
import { pause } from "../platform/pause.ts";
import type { Lease, Queue } from "./queue.ts";

/** Milliseconds between tries while the database is away: the first, and the longest. */
const firstRetry = 250;
export const longestRetry = 1_000;
/** Milliseconds after a stop for which results are tried again: as long as a process that stops lives on. */
const patienceAtStop = 8_000;

export interface Finished<T, R> {
  readonly task: T;
  readonly result: R;
}

interface Ports {
  readonly db: Database;
  readonly stopping?: AbortSignal | undefined;
}

export class Recorder<T, R> {
  /** When it last tried to write (`performance.now()`). */
  lastTry = performance.now();
  /** Why results could not be recorded alone. */
  readonly failures: unknown[] = [];

  constructor(
    readonly queue: Pick<Queue<T, R>, "record">,
    readonly lease: Pick<Lease<T, unknown>, "ms" | "noteRecorded">,
    readonly ports: Ports,
  ) {}

  /**
   * Records results, and writes more statements in the same batch; returns the results of those. While the
   * database is away it tries again: as long as it takes for results, because a result that is lost makes the
   * next run do the same again, and for one lease without. After a stop it tries results for a while longer.
   * Results that cannot be recorded together are recorded one by one.
   */
  async write(
    finished: readonly Finished<T, R>[],
    more: (tries: number) => readonly Statement[] = () => [],
  ): Promise<Row[][]> {
    const { db, stopping } = this.ports;
    const asked = performance.now();
    let left = finished;
    let stoppedAt: number | null = null;
    for (let tries = 1;; tries++) {
      this.lastTry = performance.now();
      const recording = left.length > 0 ? this.queue.record(left.map(({ result }) => result)) : [];
      const statements = [...recording, ...more(tries)];
      try {
        const written = statements.length === 0 ? [] : await db.write(statements);
        this.lease.noteRecorded(left.map(({ task }) => task));
        return written.slice(recording.length).map(({ rows }) => rows);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) {
          if (left.length === 0) throw error;
          if (left.length === 1 && statements.length === recording.length) {
            this.failures.push(error);
            this.lease.noteRecorded(left.map(({ task }) => task));
            return [];
          }
          for (const one of left) await this.write([one]);
          left = [];
          continue;
        }
        const now = performance.now();
        if (stopping?.aborted) stoppedAt ??= now;
        const isOver = left.length === 0
          ? stoppedAt !== null || now - asked > this.lease.ms
          : stoppedAt !== null && now - stoppedAt > patienceAtStop;
        if (isOver) throw error;
      }
      const wait = Math.min(firstRetry * 2 ** (tries - 1), longestRetry);
      await pause(wait, stoppedAt === null ? stopping : undefined);
    }
  }
}

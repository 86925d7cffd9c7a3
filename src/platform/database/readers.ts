import { FairQueue, QueueFull } from "../fair_queue.ts";
import {
  DatabaseUnavailable,
  type Effort,
  type Result,
  type Statement,
  type ThreadedRead,
  TookTooLong,
} from "./database.ts";
import type { Numbered, ReaderData } from "./reader_worker.ts";
import { startThread, type Thread } from "./thread.ts";
import { withDeadline } from "./retry.ts";

/** Threads that read while the process serves others. */
export interface Readers {
  read(batch: readonly Statement[], how: ThreadedRead): Promise<Result[]>;
  /** Ends the threads that have no work. The next read starts one. */
  release(): void;
  close(): Promise<void>;
}

/** Numbers of abandoned reads to remember: more than the reads that a thread has at any time. */
const slots = 64;

/**
 * Two scans run at once, of two companies: the scans of one company occupy one thread, so other companies can
 * use the second. Reads of a small effort are quick, and one message to a thread holds up to four of them.
 */
const limits: Readonly<Record<Effort, ConstructorParameters<typeof FairQueue>[0]>> = {
  scan: { atOnce: 2, perOrigin: 1, waiting: 200 },
  few: { atOnce: 8, perOrigin: 4, waiting: 2_000 },
};

/** A thread that starts with its first read, or with the next read after it ended. */
interface Reader {
  thread: Thread<Numbered, Result[]> | null;
  readonly data: ReaderData;
  /** The number of the last read. */
  last: number;
  /** The number of reads without an answer. */
  readonly waiting: Record<Effort, number>;
}

/**
 * Opens up to three threads. Each starts only while the others are busy, because a start costs as much as
 * hundreds of reads. At most two threads scan, and reads of a small effort avoid them.
 * @param given `deadline`: milliseconds from the call, or from the start of its thread, after which a read ends with
 *   `TookTooLong`. On a busy machine a start takes longer.
 */
export function openReaders(
  path: string,
  { deadline, ...given }: { readonly deadline: number; readonly kept: number; readonly patience: number },
): Readers {
  const readers = [1, 2, 3].map((): Reader => ({
    thread: null,
    data: { ...given, path, abandoned: new BigInt64Array(new SharedArrayBuffer(8 * slots)) },
    last: 0,
    waiting: { few: 0, scan: 0 },
  }));
  const queues = { scan: new FairQueue(limits.scan), few: new FairQueue(limits.few) };
  let closed = false;

  return {
    async read(batch, { effort, company, most }) {
      if (closed) throw new DatabaseUnavailable("the database is closed");
      let isLate = false;
      let abandon = () => {};
      let starting: Promise<void> | null = null;
      const turn = queues[effort].run(String(company), async () => {
        if (isLate) throw new TookTooLong();
        if (closed) throw new DatabaseUnavailable("the database is closed");
        const reader = findIdlest(readers, effort);
        const { data, waiting } = reader;
        const number = ++reader.last;
        abandon = () => void Atomics.store(data.abandoned, number % slots, BigInt(number));
        reader.thread ??= startReader(reader);
        starting = reader.thread.started.then(() => void (starting = null));
        waiting[effort]++;
        try {
          return await reader.thread.ask({ number, batch, most });
        } finally {
          waiting[effort]--;
        }
      });
      try {
        return await withDeadline(deadline, turn, () => {
          isLate = true;
          abandon();
        }, () => starting);
      } catch (error) {
        throw error instanceof QueueFull ? new DatabaseUnavailable("too many reads wait") : error;
      }
    },
    release() {
      for (const reader of readers) {
        if (reader.waiting.few + reader.waiting.scan > 0) continue;
        reader.thread?.end().catch(() => {});
        reader.thread = null;
      }
    },
    async close() {
      closed = true;
      await Promise.all(readers.map(({ thread }) => thread?.end()));
    },
  };
}

function startReader(reader: Reader): Thread<Numbered, Result[]> {
  const thread: Thread<Numbered, Result[]> = startThread("./reader_worker.ts", reader.data, () => {
    // By then another one may have taken its place.
    if (reader.thread === thread) reader.thread = null;
  });
  return thread;
}

function findIdlest(readers: readonly Reader[], effort: Effort): Reader {
  const calm = readers.filter(({ waiting }) => waiting.scan === 0);
  const usable = effort === "scan" ? calm : calm.slice(0, calm.length === readers.length ? 2 : 1);
  const [first] = usable.toSorted((one, other) => one.waiting.few - other.waiting.few);
  return first ?? readers[0]!;
}

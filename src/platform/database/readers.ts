import { FairQueue, QueueFull } from "../fair_queue.ts";
import {
  type Aside,
  DatabaseUnavailable,
  type Effort,
  type Result,
  type Statement,
  TookTooLong,
} from "./database.ts";
import type { Numbered, ReaderData } from "./reader_worker.ts";
import { startThread } from "./thread.ts";
import { withDeadline } from "./retry.ts";

/** Threads that read while the process serves others. */
export interface Readers {
  read(batch: readonly Statement[], aside: Aside): Promise<Result[]>;
  close(): Promise<void>;
}

/** Above the number of reads that a thread has at any time. */
const slots = 64;

/**
 * Two scans run at once, of two companies: the scans of one company keep a thread busy, and no other company.
 * Reads of a small effort are quick, but one message to a thread holds four of them.
 */
const limits: Readonly<Record<Effort, ConstructorParameters<typeof FairQueue>[0]>> = {
  scan: { atOnce: 2, perOrigin: 1, waiting: 200 },
  few: { atOnce: 8, perOrigin: 4, waiting: 2_000 },
};

/**
 * Three threads, each started when it is first needed. Scans have the second and third, and reads of a small effort
 * avoid a thread that scans.
 * @param deadline milliseconds from the call after which a read ends with `TookTooLong`
 */
export function openReaders(path: string, kept: number, deadline: number): Readers {
  const open: (Reader | undefined)[] = [undefined, undefined, undefined];
  const queues = { scan: new FairQueue(limits.scan), few: new FairQueue(limits.few) };
  let closed = false;

  function readerAt(place: 0 | 1 | 2): Reader {
    return open[place] ??= startReader(path, kept, () => open[place] = undefined);
  }

  function chosen(effort: Effort): Reader {
    const second = open[1];
    const scans = second !== undefined && second.waiting.scan > 0;
    if (effort === "scan") return readerAt(scans ? 2 : 1);
    const first = readerAt(0);
    if (first.waiting.few === 0 || scans) return first;
    return readerAt(1).waiting.few < first.waiting.few ? readerAt(1) : first;
  }

  return {
    async read(batch, { effort, company }) {
      if (closed) throw new DatabaseUnavailable("the database is closed");
      let isLate = false;
      let abandon = () => {};
      const turn = queues[effort].run(String(company), async () => {
        if (isLate) throw new TookTooLong();
        if (closed) throw new DatabaseUnavailable("the database is closed");
        const asked = chosen(effort).read(batch, effort);
        abandon = asked.abandon;
        return await asked.answer;
      });
      try {
        return await withDeadline(deadline, turn, () => {
          isLate = true;
          abandon();
        });
      } catch (error) {
        throw error instanceof QueueFull ? new DatabaseUnavailable("too many reads wait") : error;
      }
    },
    async close() {
      closed = true;
      await Promise.all(open.map((reader) => reader?.end()));
    },
  };
}

interface Reader {
  read(batch: readonly Statement[], effort: Effort): { readonly answer: Promise<Result[]>; abandon(): void };
  /** The number of reads without an answer. */
  readonly waiting: Readonly<Record<Effort, number>>;
  end(): Promise<unknown>;
}

function startReader(path: string, kept: number, gone: () => void): Reader {
  const abandoned = new BigInt64Array(new SharedArrayBuffer(8 * slots));
  const data: ReaderData = { path, kept, abandoned };
  const thread = startThread<Numbered, Result[]>("./reader_worker.ts", data, gone);
  const waiting = { few: 0, scan: 0 };
  let last = 0;

  return {
    read(batch, effort) {
      const number = ++last;
      waiting[effort]++;
      return {
        answer: thread.ask({ number, batch }).finally(() => waiting[effort]--),
        abandon: () => void Atomics.store(abandoned, number % slots, BigInt(number)),
      };
    },
    waiting,
    end: thread.end,
  };
}

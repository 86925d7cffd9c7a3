import { DatabaseUnavailable, type Effort, type Result, type Statement } from "./database.ts";
import type { Numbered, ReaderData } from "./reader_worker.ts";
import { startThread } from "./thread.ts";
import { withDeadline } from "./retry.ts";

/** Threads that read while the process serves others. */
export interface Readers {
  read(batch: readonly Statement[], effort: Effort): Promise<Result[]>;
  close(): Promise<void>;
}

/**
 * Two threads, each started when it is first needed. What is likely to scan goes to the second alone, and what
 * is not avoids it meanwhile: so the one never waits for the other.
 * @param deadline milliseconds from the call on after which a read is ended with `TookTooLong`
 */
export function openReaders(path: string, kept: number, deadline: number): Readers {
  const open: (Reader | undefined)[] = [undefined, undefined];
  let closed = false;

  function readerAt(place: 0 | 1): Reader {
    const reader = open[place] ??= startReader(path, { kept, deadline }, () => open[place] = undefined);
    return reader;
  }

  function chosen(effort: Effort): Reader {
    if (effort === "scan") return readerAt(1);
    const [first, second] = [readerAt(0), open[1]];
    if (first.waiting() === 0 || second?.scans()) return first;
    return readerAt(1).waiting() < first.waiting() ? readerAt(1) : first;
  }

  return {
    read(batch, effort) {
      if (closed) return Promise.reject(new DatabaseUnavailable("the database is closed"));
      return chosen(effort).read(batch, effort);
    },
    async close() {
      closed = true;
      await Promise.all(open.map((reader) => reader?.end()));
    },
  };
}

interface Reader {
  read(batch: readonly Statement[], effort: Effort): Promise<Result[]>;
  /** How many reads it has not answered. */
  waiting(): number;
  /** Whether there is a scan among them. */
  scans(): boolean;
  end(): Promise<unknown>;
}

function startReader(
  path: string,
  { kept, deadline }: { readonly kept: number; readonly deadline: number },
  gone: () => void,
): Reader {
  const abandoned = new BigInt64Array(new SharedArrayBuffer(8));
  const data: ReaderData = { path, kept, abandoned };
  const thread = startThread<Numbered, Result[]>("./reader_worker.ts", data, gone);
  const waiting = { few: 0, scan: 0 };
  let last = 0;

  return {
    read(batch, effort) {
      const number = ++last;
      waiting[effort]++;
      const asked = thread.ask({ number, batch }).finally(() => waiting[effort]--);
      // All have the same time, so when this one's is over, so is that of those before it.
      return withDeadline(deadline, asked, () => Atomics.store(abandoned, 0, BigInt(number)));
    },
    waiting: () => waiting.few + waiting.scan,
    scans: () => waiting.scan > 0,
    end: thread.end,
  };
}

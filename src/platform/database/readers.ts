import { Worker } from "node:worker_threads";
import { DatabaseUnavailable, type Effort, type Result, type Statement } from "./database.ts";

/** Threads that read while the process serves others. */
export interface Readers {
  read(batch: readonly Statement[], effort: Effort): Promise<Result[]>;
  close(): Promise<void>;
}

/**
 * Two threads, each started when it is first needed. What is likely to scan goes to the second alone, and what
 * is not avoids it meanwhile: so the one never waits for the other.
 */
export function openReaders(path: string, kept: number): Readers {
  const open: (Reader | undefined)[] = [undefined, undefined];
  let closed = false;

  function readerAt(place: 0 | 1): Reader {
    const reader = open[place] ??= startReader(path, kept, () => open[place] = undefined);
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

interface Asked {
  readonly effort: Effort;
  readonly resolve: (results: Result[]) => void;
  readonly reject: (error: unknown) => void;
}

function startReader(path: string, kept: number, gone: () => void): Reader {
  const worker = new Worker(new URL("./reader_worker.ts", import.meta.url), { workerData: { path, kept } });
  const asked = new Map<number, Asked>();
  let last = 0;
  // A thread that has nothing to do does not keep the process alive.
  worker.unref();

  function failAll(error: unknown): void {
    gone();
    for (const { reject } of asked.values()) {
      reject(new DatabaseUnavailable("the reading thread ended", { cause: error }));
    }
    asked.clear();
  }
  worker.on("message", ({ id, results, error }: { id: number; results?: Result[]; error?: string }) => {
    const call = asked.get(id);
    asked.delete(id);
    if (asked.size === 0) worker.unref();
    if (results) call?.resolve(results);
    else call?.reject(new Error(error));
  });
  worker.on("error", failAll);
  worker.on("exit", (code) => failAll(new Error(`it ended with ${code}`)));

  return {
    read: (batch, effort) =>
      new Promise((resolve, reject) => {
        asked.set(++last, { effort, resolve, reject });
        worker.ref();
        worker.postMessage({ id: last, batch });
      }),
    waiting: () => asked.size,
    scans: () => [...asked.values()].some(({ effort }) => effort === "scan"),
    end: () => worker.terminate(),
  };
}

/** How long others wait for the write lock of a database, as a process beside the service finds it. */
import { Worker } from "node:worker_threads";

export interface LockWatch {
  /** Ends, and returns the longest time that the lock was not to be had, in milliseconds. */
  end(): Promise<number>;
}

/**
 * Asks for the lock every few milliseconds, in a thread of its own so that the bench's work does not count, and gives
 * it back at once. A hold is seen from the first refusal to the next success: a few milliseconds less than it lasts,
 * or more when another hold follows at once.
 */
export function watchLock(file: string): LockWatch {
  const worker = new Worker(new URL("./lock_watch_worker.ts", import.meta.url), { workerData: file });
  return {
    end: () =>
      new Promise((resolve, reject) => {
        worker.on("message", (longest: number) => {
          resolve(longest);
          void worker.terminate();
        });
        worker.on("error", reject);
        worker.postMessage("end");
      }),
  };
}

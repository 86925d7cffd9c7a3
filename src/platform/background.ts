/**
 * Runs work after the answer has been sent, and measures the traffic for which it slows down. Lost work does
 * no harm, because jobs do the same later.
 */

import { describeError, type Log } from "./log.ts";

export type Task = Promise<unknown> | (() => Promise<unknown>);

export interface Background {
  /** Runs a task in the background and logs its failure. */
  run(task: Task): void;
  /** Resolves when no task is running, including tasks started by tasks. */
  idle(): Promise<void>;
}

/** Background work of a process. `extend` receives each task, for workerd's `ctx.waitUntil`. */
export function background(log: Log, extend?: (task: Promise<unknown>) => void): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(task) {
      const settled: Promise<unknown> = (typeof task === "function" ? Promise.try(task) : task)
        .catch((error) => log.error({ event: "background_failed", ...describeError(error) }))
        .finally(() => running.delete(settled));
      running.add(settled);
      extend?.(settled);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Waits until all tasks have ended, also when one fails; then throws the first error. */
export async function awaitAll(tasks: readonly Promise<unknown>[]): Promise<void> {
  const failure = (await Promise.allSettled(tasks)).find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}

/** Resolves when the task ends, or after `ms`: then the task goes on in the background. Rejects as it does until then. */
export async function awaitAtMost(
  background: Pick<Background, "run">,
  ms: number,
  task: Promise<unknown>,
): Promise<void> {
  const late = Symbol();
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(() => resolve(late), ms);
  try {
    if (await Promise.race([task, promise]) === late) background.run(task);
  } finally {
    clearTimeout(timer);
  }
}

const windowMs = 250;
/** Requests per second from which background work slows down. */
const busyRate = 200;

/** Measures the requests of this process, so that background work slows down when there are many. */
export class Traffic {
  #begun = 0;
  #count = 0;
  #rate = 0;

  /** Counts a request. */
  countRequest(): void {
    const now = performance.now();
    const passed = now - this.#begun;
    if (passed >= windowMs) {
      this.#rate = this.#count * 1000 / passed;
      this.#begun = now;
      this.#count = 0;
    }
    this.#count++;
  }

  /** Returns whether there were many requests in about the last quarter of a second. */
  isBusy(): boolean {
    const passed = performance.now() - this.#begun;
    const rate = passed < windowMs ? this.#rate : this.#count * 1000 / passed;
    return rate > busyRate;
  }
}

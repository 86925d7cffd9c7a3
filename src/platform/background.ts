/** Work after the answer has been sent. Losing it loses nothing, because jobs do the same later. */

import { errorFields, type Log } from "./log.ts";

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
        .catch((error) => log.error({ event: "background_failed", ...errorFields(error) }))
        .finally(() => running.delete(settled));
      running.add(settled);
      extend?.(settled);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Work that goes on after the answer has been sent. Losing it must lose nothing: jobs do the same later. */

import { errorFields, type Log } from "./log.ts";

export type Task = Promise<unknown> | (() => Promise<unknown>);

export interface Background {
  /** Lets a task run on, or starts it; a failure goes to the log. */
  run(task: Task): void;
  /** Resolves when no task is running any more, including those that tasks have started. */
  idle(): Promise<void>;
}

/** Background work of a process. `extend` is told of each task, as workerd's `ctx.waitUntil` wants. */
export function background(log: Log, extend?: (task: Promise<unknown>) => void): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(task) {
      const settled: Promise<unknown> = start(task)
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

async function start(task: Task): Promise<unknown> {
  return await (typeof task === "function" ? task() : task);
}

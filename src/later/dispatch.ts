/** Runs a queue in the background, right after commits. */
import type { Background } from "../platform/background.ts";
import type { Loop } from "./loop.ts";

export interface Dispatch<W> {
  /** Begins a run, or lets the current one look for more. If a call is lost, the job does the work. */
  wake(wish: W): void;
  /** Resolves when no run is going on. */
  idle(): Promise<void>;
  /** Begins no more attempts. Resolves when the running ones have ended and are recorded. */
  stop(): Promise<void>;
}

/** `open`: makes the loop of a run. */
export function startDispatch<T, R, W>(
  { background, stopping }: {
    readonly background: Background;
    readonly stopping?: AbortSignal | undefined;
  },
  open: (wish: W) => Loop<T, R, W>,
): Dispatch<W> {
  let current: Loop<T, R, W> | null = null;
  let done: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  function wake(wish: W): void {
    if (isStopped || stopping?.aborted || current?.want(wish)) return;
    const mine = current = open(wish);
    const run = mine.run().finally(() => {
      if (current === mine) current = null;
    });
    // The job repeats a failed run.
    done = run.then(() => {
      const left = mine.lease.leaveToNext();
      if (left !== null) wake(left);
    }).catch(() => {});
    background.run(run);
  }

  async function idle(): Promise<void> {
    while (current !== null) await done;
  }

  return {
    wake,
    idle,
    async stop() {
      isStopped = true;
      current?.stop();
      await idle();
    },
  };
}

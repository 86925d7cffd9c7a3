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
  const running = new Set<Promise<unknown>>();
  let isStopped = false;

  function wake(wish: W): void {
    if (isStopped || stopping?.aborted || current?.want(wish)) return;
    const mine = current = open(wish);
    const goOn = () => {
      const left = mine.lease.leaveToNext();
      if (left !== null) wake(left);
    };
    const run = mine.run(goOn);
    // The job repeats a failed run.
    const done = run.then(goOn).catch(() => {}).finally(() => running.delete(done));
    running.add(done);
    background.run(run);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
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

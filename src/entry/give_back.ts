/** Gives memory back to the system while nobody calls. */
import type { Deps } from "../deps.ts";

/** Milliseconds without a call after which the garbage of the start, or of the calls before, is collected. */
const settled = 1_000;
const quiet = 20_000;

export interface GivingBack {
  /** Notes a call. */
  noteCall(): void;
  stop(): void;
}

/** Gives memory back after the start, and after each while with calls. */
export function giveBackWhenQuiet({ db }: Pick<Deps, "db">): GivingBack {
  let calledAt = 0;
  let [collectedAt, patience] = [0, settled];
  const collection = setInterval(() => {
    const since = performance.now() - calledAt;
    if (since < patience || (collectedAt > calledAt && patience === quiet)) return;
    [collectedAt, patience] = [performance.now(), quiet];
    db.release();
    collectGarbage();
  }, settled);
  return {
    noteCall: () => void (calledAt = performance.now()),
    stop: () => clearInterval(collection),
  };
}

/**
 * Returns memory to the system: that of the start, 20 MB of 145, and that of lists and documents after a while
 * without calls. This takes 100 ms, in which nothing is served. V8 does so by itself only under load. `gc` must be
 * exposed, as `deno task start` does.
 */
function collectGarbage(): void {
  const { gc } = globalThis as { gc?: (how: { type: "major"; flavor: "last-resort" }) => void };
  gc?.({ type: "major", flavor: "last-resort" });
}

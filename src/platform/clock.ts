/** The clock port. Features read the time from it, so that a test can move it. */

export interface Clock {
  /** The present time in milliseconds since 1970, UTC. */
  now(): number;
  /** Returns the milliseconds since somebody last set it to another time. Missing: that never happens. */
  steadyFor?(): number;
}

/** Milliseconds by which time may seem to pass faster or slower, for example while a process is stopped. */
const tolerance = 30_000;

/**
 * Returns a clock that shows `wall` (epoch milliseconds) and notices when it is set, because `count` (milliseconds
 * since any moment) goes on as before.
 */
export function watchedClock(wall: () => number, count: () => number): Clock {
  let last: { readonly shown: number; readonly elapsed: number } | null = null;
  let setAt = -Infinity;
  function look() {
    const seen = { shown: wall(), elapsed: count() };
    const passed = last === null ? 0 : seen.elapsed - last.elapsed;
    if (last !== null && Math.abs(seen.shown - last.shown - passed) > tolerance) setAt = seen.elapsed;
    last = seen;
    return seen;
  }
  return { now: () => look().shown, steadyFor: () => look().elapsed - setAt };
}

export const systemClock: Clock = watchedClock(Date.now, () => performance.now());

/** A clock that shows one time, such as the scheduled time of a run. `of`: the clock that showed it. */
export function fixedClock(ms: number, of?: Clock): Clock {
  return { now: () => ms, steadyFor: () => of?.steadyFor?.() ?? Infinity };
}

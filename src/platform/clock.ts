/** The clock port. Features read the time from it, so that a test can move it. */

export interface Clock {
  /** The present time in milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Returns the milliseconds since somebody last set it to another time; infinite when that happens too often to wait
   * for its end. Missing: that never happens.
   */
  steadyFor?(): number;
}

/** Milliseconds by which time may seem to pass faster or slower, for example while a process is stopped. */
const tolerance = 30_000;
/**
 * A clock that is set so often within these milliseconds counts as never set: what waits until it is steady would wait
 * for ever, for example on a machine that is suspended several times a day. With fewer times it is steady for twice the
 * longest retry in between.
 */
const mostSets = 32;
const setsWithin = 28 * 24 * 60 * 60_000;

/**
 * Returns a clock that shows `wall` (epoch milliseconds) and notices when it is set, because `count` (milliseconds
 * since any moment) goes on as before.
 */
export function makeWatchedClock(wall: () => number, count: () => number): Clock {
  let last: { readonly shown: number; readonly elapsed: number } | null = null;
  /** When it was set the last times, by `count`. */
  const sets: number[] = [];
  function look() {
    const seen = { shown: wall(), elapsed: count() };
    const passed = last === null ? 0 : seen.elapsed - last.elapsed;
    if (last !== null && Math.abs(seen.shown - last.shown - passed) > tolerance) {
      sets.push(seen.elapsed);
      if (sets.length > mostSets) sets.shift();
    }
    last = seen;
    return seen;
  }
  function steadyFor(): number {
    const { elapsed } = look();
    const isOften = sets.length === mostSets && elapsed - sets[0]! < setsWithin;
    return isOften ? Infinity : elapsed - (sets.at(-1) ?? -Infinity);
  }
  return { now: () => look().shown, steadyFor };
}

export const systemClock: Clock = makeWatchedClock(Date.now, () => performance.now());

/** A clock that shows `ms` now, or the time of `of` if that is later, and goes on as `of` does: for a run that looks ahead. */
export function makeClockAhead(ms: number, of: Clock): Clock {
  const ahead = Math.max(0, ms - of.now());
  return { now: () => of.now() + ahead, steadyFor: () => of.steadyFor?.() ?? Infinity };
}

/** A clock that shows one time. `of`: the clock that showed it. */
export function makeFixedClock(ms: number, of?: Clock): Clock {
  return { now: () => ms, steadyFor: () => of?.steadyFor?.() ?? Infinity };
}

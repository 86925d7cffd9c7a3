/** The clock port. Features read the time from it, so that a test can move it. */

export interface Clock {
  /** The present time in milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: Date.now };

/** A clock that shows one time, such as the scheduled time of a run. */
export function fixedClock(ms: number): Clock {
  return { now: () => ms };
}

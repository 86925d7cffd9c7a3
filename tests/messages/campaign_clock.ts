import type { Clock } from "../../src/platform/clock.ts";

/**
 * How many times faster than real time the clock runs: a lease of ten minutes takes ten seconds, longer than
 * any attempt here.
 */
const speed = 60;

/** Returns a clock that all processes share. `began`: when it showed the real time, in epoch milliseconds. */
export function fastClock(began: number): Clock {
  return { now: () => Math.round(began + (Date.now() - began) * speed) };
}

/** Moments by the clock of a time zone. */
import { zoneOffset } from "./time.ts";

const second = 1_000;
const day = 86_400 * second;
/** Longer than any offset, and than any change of one. */
const widest = 2 * day;

/**
 * The moment at which clocks of the zone show `seconds` after the midnight that began the day, `days` after that of
 * `ms`. A time that comes twice is the first; one that a change of the clock skips is the next that exists.
 */
export function momentOfDay(timeZone: string, ms: number, days: number, seconds: number): number {
  const today = Math.floor((ms + zoneOffset(timeZone, ms) * second) / day);
  return firstMoment(timeZone, (today + days) * day + seconds * second);
}

/** Returns the first moment at which clocks of the zone show `local`, or later: milliseconds as if the zone were UTC. */
export function firstMoment(timeZone: string, local: number): number {
  const shown = (at: number) => at + zoneOffset(timeZone, at) * second;
  const offsets = [local - widest, local - day / 2, local, local + day / 2, local + widest]
    .map((at) => zoneOffset(timeZone, at) * second);
  const exact = offsets.map((offset) => local - offset).filter((at) => shown(at) === local);
  if (exact.length > 0) return Math.min(...exact);
  // Skipped: the change is the first moment that shows more.
  let before = local - Math.max(...offsets);
  let after = local - Math.min(...offsets);
  while (after - before > second) {
    const middle = before + Math.floor((after - before) / (2 * second)) * second;
    if (shown(middle) < local) before = middle;
    else after = middle;
  }
  return after;
}

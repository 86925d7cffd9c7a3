/** Moments by the clock of a time zone. */
import { computeZoneOffset } from "./time.ts";

const second = 1_000;
const day = 86_400 * second;
/** Milliseconds, longer than any offset and any change of an offset. */
const widest = 2 * day;

/**
 * Returns the moment when clocks of the zone show a time of day: `seconds` after midnight, on the day that is
 * `days` after the day of `ms`. If the time occurs twice, returns the first; if a change of the clock skips
 * it, returns the next moment that exists.
 */
export function computeMomentOfDay(timeZone: string, ms: number, days: number, seconds: number): number {
  const today = Math.floor((ms + computeZoneOffset(timeZone, ms) * second) / day);
  return findFirstMoment(timeZone, (today + days) * day + seconds * second);
}

/**
 * Returns the first moment when clocks of the zone show `local` or later. `local`: milliseconds as if the
 * zone were UTC.
 */
export function findFirstMoment(timeZone: string, local: number): number {
  const toLocal = (at: number) => at + computeZoneOffset(timeZone, at) * second;
  const offsets = [local - widest, local - day / 2, local, local + day / 2, local + widest]
    .map((at) => computeZoneOffset(timeZone, at) * second);
  const exact = offsets.map((offset) => local - offset).filter((at) => toLocal(at) === local);
  if (exact.length > 0) return Math.min(...exact);
  // The clock skips `local`. The result is the moment of the change, the first that shows a later time.
  let before = local - Math.max(...offsets);
  let after = local - Math.min(...offsets);
  while (after - before > second) {
    const middle = before + Math.floor((after - before) / (2 * second)) * second;
    if (toLocal(middle) < local) before = middle;
    else after = middle;
  }
  return after;
}

/** The ladder on which everything that goes out is tried again: webhooks and mail alike. */
import { clockSkew } from "./clocks.ts";
import { addMinutes } from "./time.ts";

/** The first attempt and ten more: the last is 17 hours after the first. */
export const mostAttempts = 11;

/** Minutes from one attempt to the next at most. */
const longestWait = 2 ** (mostAttempts - 2);

/**
 * The last moment (epoch milliseconds) at which an attempt can be due that waits at `now`. A later due time was
 * written by a clock that was ahead: it counts as due.
 */
export function furthestDue(now: number): number {
  return addMinutes(now, longestWait) + clockSkew;
}

/**
 * When the next attempt is due after attempt `number` (from 1), made at `at` (epoch milliseconds), failed:
 * 2^(n-1) minutes later, or at `notBefore` where that is later, but no later than after the longest of these
 * waits. Null when there is none.
 */
export function nextAttempt(number: number, at: number, notBefore: number | null = null): number | null {
  if (number >= mostAttempts) return null;
  const due = addMinutes(at, 2 ** (number - 1));
  const latest = addMinutes(at, longestWait);
  return Math.max(due, Math.min(notBefore ?? due, latest));
}

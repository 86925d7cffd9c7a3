/** The retry schedule of webhooks, mails and push messages. */

import { addMinutes } from "./time.ts";

/** The first attempt and ten more: the last is 17 hours after the first. */
export const mostAttempts = 11;

/** The longest wait between attempts, in milliseconds. */
export const longestRetry = addMinutes(0, 2 ** (mostAttempts - 2));

export interface Retry {
  /** When the next attempt is due, epoch milliseconds. */
  readonly due: number;
  /** Whether the attempt that failed counts. */
  readonly counts: boolean;
}

/** What a plan needs of a clock; see `Clock`. */
export interface RetryClock {
  now(): number;
  steadyFor?(): number;
}

/**
 * Plans the retry after attempt `number` (from 1) failed; null: it was the last of `most`. An attempt counts only when
 * the wait before it has really passed. A clock that was set meanwhile may have cut it short, and one that swings would
 * use up all attempts. So what it does not prove is waited for once more.
 */
export function planRetry(
  number: number,
  clock: RetryClock,
  { notBefore = null, most = mostAttempts }: { readonly notBefore?: number | null; readonly most?: number } =
    {},
): Retry | null {
  const counts = number === 1 || (clock.steadyFor?.() ?? Infinity) >= waitAfter(number - 1);
  if (counts && number >= most) return null;
  const at = clock.now();
  const due = at + waitAfter(counts ? number : number - 1);
  const latest = at + longestRetry;
  return { counts, due: Math.max(due, Math.min(notBefore ?? due, latest)) };
}

/** Returns the milliseconds to wait after attempt `number`: 2^(n-1) minutes, at most the longest wait. */
function waitAfter(number: number): number {
  return Math.min(addMinutes(0, 2 ** (number - 1)), longestRetry);
}

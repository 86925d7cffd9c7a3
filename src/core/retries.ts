/** The retry schedule of webhooks, mails and push messages. */

import { addMinutes } from "./time.ts";

/** The first attempt and ten more: the last is 17 hours after the first. */
export const mostAttempts = 11;

/** The longest wait between attempts, in milliseconds. */
export const longestRetry = addMinutes(0, 2 ** (mostAttempts - 2));

/**
 * Returns the due time after attempt `number` (from 1) failed at `at` (epoch milliseconds): 2^(n-1) minutes
 * later, or `notBefore` if later, but at most the longest wait. Null after the last attempt.
 */
export function nextAttempt(number: number, at: number, notBefore: number | null = null): number | null {
  if (number >= mostAttempts) return null;
  const due = addMinutes(at, 2 ** (number - 1));
  const latest = at + longestRetry;
  return Math.max(due, Math.min(notBefore ?? due, latest));
}

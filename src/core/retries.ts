/** The ladder on which everything that goes out is tried again: webhooks and mail alike. */
import { addMinutes } from "./time.ts";

/** The first attempt and ten more: the last is 17 hours after the first. */
export const mostAttempts = 11;

/**
 * When the next attempt is due after attempt `number` (from 1), made at `at` (epoch milliseconds), failed:
 * 2^(n-1) minutes later. Null when there is none.
 */
export function nextAttempt(number: number, at: number): number | null {
  return number >= mostAttempts ? null : addMinutes(at, 2 ** (number - 1));
}

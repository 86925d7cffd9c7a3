/** The result of an attempt. */
import { nextAttempt } from "../../core/retries.ts";
import type { Signed } from "./sign.ts";

export interface Result {
  readonly delivery_id: string;
  readonly webhook_id: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** Attempts before the last redelivery. */
  readonly begun_after: number;
  /** URL of the target. */
  readonly target_url: string;
  /** Start in epoch milliseconds. */
  readonly at: number;
  /** Its signatures; null when it was not signed. */
  readonly signed: Signed | null;
  /** Null without an answer. */
  readonly response_status: number | null;
  /** Time of `Retry-After` in epoch milliseconds; null when absent. */
  readonly retry_at: number | null;
  /** The reason for no answer. */
  readonly error: string | null;
  readonly duration_ms: number;
  readonly response_excerpt: string | null;
}

/** Only 200 is success. */
export function succeeded(result: Result): boolean {
  return result.response_status === 200;
}

/** 410 Gone: the target wants no more events. */
export function isGone(result: Result): boolean {
  return result.response_status === 410;
}

/** When the next attempt is due; null when there is none. */
export function nextDue(result: Result): number | null {
  const { number, begun_after, at, retry_at } = result;
  return succeeded(result) ? null : nextAttempt(number - begun_after, at, retry_at);
}

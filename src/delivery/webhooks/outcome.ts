/** What became of an attempt. */
import { nextAttempt } from "../../core/retries.ts";
import type { Signed } from "./sign.ts";

export interface Result {
  readonly delivery_id: string;
  readonly webhook_id: number;
  /** Which attempt it was, from 1. */
  readonly number: number;
  /** Attempts that had been made when the delivery was last begun anew. */
  readonly begun_after: number;
  /** Where it was sent. */
  readonly target_url: string;
  /** When it began, epoch milliseconds. */
  readonly at: number;
  /** What signed it; null: it was not signed. */
  readonly signed: Signed | null;
  /** Null when no answer came. */
  readonly response_status: number | null;
  /** When the target wants to be asked again, epoch milliseconds; null: it did not say. */
  readonly retry_at: number | null;
  /** Why no answer came. */
  readonly error: string | null;
  readonly duration_ms: number;
  readonly response_excerpt: string | null;
}

/** Only 200 is success. */
export function succeeded(result: Result): boolean {
  return result.response_status === 200;
}

/** 410 Gone: the target wants no more of this subscription. */
export function isGone(result: Result): boolean {
  return result.response_status === 410;
}

/** When the next attempt is due; null when there is none. */
export function nextDue(result: Result): number | null {
  const { number, begun_after, at, retry_at } = result;
  return succeeded(result) ? null : nextAttempt(number - begun_after, at, retry_at);
}

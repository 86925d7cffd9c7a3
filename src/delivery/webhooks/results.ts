/** What became of an attempt, and how it is recorded: the results of many in one batch. */
import { nextAttempt } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { endPending } from "./undeliverable.ts";

export interface Result {
  readonly delivery_id: string;
  readonly webhook_id: number;
  /** Which attempt it was, from 1. */
  readonly number: number;
  /** When it began, epoch milliseconds. */
  readonly at: number;
  /** Null when no answer came. */
  readonly response_status: number | null;
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
  return succeeded(result) || isGone(result) ? null : nextAttempt(result.number, result.at);
}

/**
 * Records the results, each once: an attempt that another sender has recorded meanwhile is passed over.
 * A subscription whose target is gone is deleted, and what waits for it ends.
 */
export function resultStatements(results: readonly Result[]): Statement[] {
  if (results.length === 0) return [];
  const rows = JSON.stringify(results.map(asTuple));
  const statements = [statement(insertAttempts, rows), statement(updateDeliveries, rows)];
  const gone = results.filter(isGone);
  if (gone.length > 0) {
    const ids = [...new Set(gone.map(({ webhook_id }) => webhook_id))];
    const at = formatTimestamp(gone[0]!.at);
    statements.push(statement(deleteGone, at, at, JSON.stringify(ids)), endPending(ids));
  }
  return statements;
}

function asTuple(result: Result): (string | number | null)[] {
  const due = nextDue(result);
  const at = formatTimestamp(result.at);
  return [
    result.delivery_id,
    result.number,
    at,
    result.response_status,
    result.error,
    result.duration_ms,
    result.response_excerpt,
    succeeded(result) ? "delivered" : due === null ? "failed" : "pending",
    due,
    succeeded(result) ? at : null,
  ];
}

const insertAttempts = "insert or ignore into delivery_attempts " +
  "(delivery_id, number, at, response_status, error, duration_ms, response_excerpt) " +
  "select d.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6 " +
  "from json_each(?) r cross join deliveries d on d.id = r.value ->> 0 where d.attempts = (r.value ->> 1) - 1";

/** What ended while it was being sent does not become pending again. */
const updateDeliveries =
  "update deliveries set attempts = r.value ->> 1, due_at = coalesce(r.value ->> 8, due_at), " +
  "status = iif(status = 'pending' or r.value ->> 7 = 'delivered', r.value ->> 7, status), " +
  "response_status = r.value ->> 3, error = r.value ->> 4, duration_ms = r.value ->> 5, " +
  "delivered_at = r.value ->> 9 from json_each(?) r " +
  "where deliveries.id = r.value ->> 0 and deliveries.attempts = (r.value ->> 1) - 1";

const deleteGone = "update webhooks set deleted_at = ?, gone = 1, updated_at = ?, version = version + 1 " +
  "where id in (select value from json_each(?)) and deleted_at is null";

/** The results of attempts, and the statements that record many of them in one batch. */
import { planRetry, type Retry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { Signed } from "./sign.ts";
import { endPendingOfGone } from "./undeliverable.ts";

export interface Result {
  readonly delivery_id: string;
  readonly webhook_id: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** Attempts that do not count: those before the last redelivery, and those that a clock that was set made too early. */
  readonly begun_after: number;
  /** URL of the target. */
  readonly target_url: string;
  /** Start in epoch milliseconds. */
  readonly at: number;
  /** Milliseconds for which the clock had not been set before the start. */
  readonly steady_for: number;
  /** Signatures of the request; null when it was not signed. */
  readonly signed: Signed | null;
  /** Null without an answer. */
  readonly response_status: number | null;
  /** Whether the subscription counts the answer as success. */
  readonly succeeded: boolean;
  /** Time of `Retry-After` in epoch milliseconds; null when absent. */
  readonly retry_at: number | null;
  /** Why there was no answer, or why one of 201 to 299 is a failure; null otherwise. */
  readonly error: string | null;
  readonly duration_ms: number;
  readonly response_excerpt: string | null;
}

/** The columns of a subscription without failures. */
export const notFailing = { failing_since: null, failures: 0 } as const;

/**
 * Records each result once. Skips an attempt that another sender has recorded, but a late success still
 * counts. Deletes a subscription after 410 and ends its waiting deliveries.
 */
export function writeResults(results: readonly Result[]): Statement[] {
  if (results.length === 0) return [];
  const rows = JSON.stringify(results.map((result) => {
    const { number, begun_after, at, signed } = result;
    const isSuccess = result.succeeded;
    const retry = planNext(result);
    return [
      result.delivery_id,
      number,
      formatTimestamp(at),
      result.response_status,
      result.error,
      result.duration_ms,
      result.response_excerpt,
      isSuccess ? 1 : 0,
      retry?.due ?? null,
      begun_after,
      signed === null ? null : JSON.stringify(signed),
      result.target_url,
      retry?.counts === false ? 1 : 0,
    ];
  }));
  // 410: the target wants no more events.
  const gone = results.filter(({ response_status }) => response_status === 410);
  return [
    sql`insert into delivery_attempts
      (delivery_id, number, at, response_status, error, duration_ms, response_excerpt)
      select d.id, d.attempts + 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6
      from json_each(${rows}) r cross join deliveries d on d.id = r.value ->> 0 where ${counts}`,
    ...writeFailing(results),
    ...(gone.length > 0 ? [deleteGone(rows)] : []),
    // A delivery that ended during the attempt does not become pending again. One that was restarted meanwhile stays
    // due, and its retries count from this attempt. One that does not count is left out by `begun_after`, too.
    sql`update deliveries as d set attempts = attempts + 1,
      begun_after = begun_after + (begun_after <> r.value ->> 9 or r.value ->> 12),
      due_at = iif(begun_after = r.value ->> 9, coalesce(r.value ->> 8, due_at), due_at),
      status = case when r.value ->> 7 = 1 then 'delivered'
      when status <> 'pending' or begun_after <> r.value ->> 9 then status
      when r.value ->> 8 is null or exists (select 1 from webhooks w
      where w.id = d.webhook_id and w.deleted_at is not null) then 'failed' else 'pending' end,
      response_status = r.value ->> 3, error = r.value ->> 4, duration_ms = r.value ->> 5,
      delivered_at = iif(r.value ->> 7 = 1, r.value ->> 2, delivered_at), signed = r.value ->> 10
      from json_each(${rows}) r where d.id = r.value ->> 0 and ${counts}`,
    ...(gone.length > 0 ? [endPendingOfGone([...new Set(gone.map(({ webhook_id }) => webhook_id))])] : []),
  ];
}

/** Returns when the delivery is attempted again; null: it has ended. */
export function planNext({ succeeded, number, begun_after, at, steady_for, retry_at }: Result): Retry | null {
  const clock = { now: () => at, steadyFor: () => steady_for };
  return succeeded ? null : planRetry(number - begun_after, clock, { notBefore: retry_at });
}

/** SQL: the result `r` is of the expected next attempt of the delivery `d`. */
const isNext = sql`d.attempts = (r.value ->> 1) - 1`;

/**
 * SQL: the result counts. It is of the next attempt, or of an abandoned one that succeeded after all, so that
 * the delivery is not sent again.
 */
const counts = sql`(${isNext} or r.value ->> 7 = 1 and d.status = 'pending'
  and d.begun_after = r.value ->> 9 and d.attempts >= r.value ->> 1)`;

/** Deletes the subscriptions whose targets answered 410. Skips a subscription that has a new target. */
function deleteGone(rows: string): Sql {
  return sql`update webhooks set deleted_at = g.at, target_gone = 1, updated_at = g.at, version = version + 1
    from (select d.webhook_id as id, r.value ->> 11 as url, max(r.value ->> 2) as at
    from json_each(${rows}) r cross join deliveries d on d.id = r.value ->> 0
    where r.value ->> 3 = 410 and ${isNext} group by d.webhook_id, r.value ->> 11) g
    where webhooks.id = g.id and webhooks.target_url = g.url and webhooks.deleted_at is null`;
}

/**
 * Records successes and failures of subscriptions. Its place is between the statements for attempts and for
 * deliveries, so that all of them skip the same attempts.
 */
function writeFailing(results: readonly Result[]): Statement[] {
  const lastSuccess = new Map(
    results.flatMap((result, index) => result.succeeded ? [[result.webhook_id, index]] : []),
  );
  const failed = results.filter((result, index) =>
    !result.succeeded && index > (lastSuccess.get(result.webhook_id) ?? -1)
  );
  const statements: Statement[] = [];
  if (lastSuccess.size > 0) {
    statements.push(sql`update webhooks set failing_since = null, failures = 0
      where id in (select value from json_each(${JSON.stringify([...lastSuccess.keys()])}))
      and failing_since is not null`);
  }
  if (failed.length > 0) {
    statements.push(noteFailures(failed.map(({ delivery_id, number, at }) => [delivery_id, number, at])));
  }
  return statements;
}

/** Adds failures to the subscriptions. `attempts`: delivery, number and time (epoch milliseconds) of each. */
function noteFailures(attempts: readonly (readonly [string, number, number])[]): Sql {
  return sql`update webhooks set failing_since = min(coalesce(failing_since, f.first), f.first),
    failures = failures + f.n
    from (select d.webhook_id as id, min(r.value ->> 2) as first, count(*) as n
    from json_each(${JSON.stringify(attempts)}) r cross join deliveries d on d.id = r.value ->> 0
    where d.attempts = (r.value ->> 1) - 1 group by d.webhook_id) f where webhooks.id = f.id`;
}

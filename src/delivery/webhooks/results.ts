/** Records the results of many attempts in one batch. */
import { formatTimestamp } from "../../core/time.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { failingStatements } from "./failing.ts";
import { isGone, nextDue, type Result, succeeded } from "./outcome.ts";
import { endPendingOfGone } from "./undeliverable.ts";

/**
 * Records each result once. Skips an attempt that another sender has recorded, but a late success still
 * counts. Deletes a subscription after 410 and ends its waiting deliveries.
 */
export function resultStatements(results: readonly Result[]): Statement[] {
  if (results.length === 0) return [];
  const rows = JSON.stringify(results.map(asTuple));
  const gone = results.filter(isGone);
  return [
    insertAttempts(rows),
    ...failingStatements(results),
    ...(gone.length > 0 ? [deleteGone(JSON.stringify(gone.map(asTuple)))] : []),
    updateDeliveries(rows),
    ...(gone.length > 0 ? [endPendingOfGone([...new Set(gone.map(({ webhook_id }) => webhook_id))])] : []),
  ];
}

function asTuple(result: Result): (string | number | null)[] {
  return [
    result.delivery_id,
    result.number,
    formatTimestamp(result.at),
    result.response_status,
    result.error,
    result.duration_ms,
    result.response_excerpt,
    succeeded(result) ? 1 : 0,
    nextDue(result),
    result.begun_after,
    result.signed === null ? null : JSON.stringify(result.signed),
    result.target_url,
  ];
}

/** The expected next attempt. */
function isNext(delivery: Sql): Sql {
  return sql`${delivery}.attempts = (r.value ->> 1) - 1`;
}

/** Or an abandoned one that succeeded after all: it is not sent again. */
function counts(alias: "d" | "deliveries"): Sql {
  const delivery = identifier(alias);
  return sql`(${isNext(delivery)} or r.value ->> 7 = 1 and ${delivery}.status = 'pending'
    and ${delivery}.begun_after = r.value ->> 9 and ${delivery}.attempts >= r.value ->> 1)`;
}

function insertAttempts(rows: string): Sql {
  return sql`insert into delivery_attempts
    (delivery_id, number, at, response_status, error, duration_ms, response_excerpt)
    select d.id, d.attempts + 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6
    from json_each(${rows}) r cross join deliveries d on d.id = r.value ->> 0 where ${counts("d")}`;
}

/**
 * A delivery that ended during the attempt does not become pending again. A delivery restarted meanwhile
 * stays due, and its retries count from this attempt.
 */
function updateDeliveries(rows: string): Sql {
  return sql`update deliveries set attempts = attempts + 1,
    begun_after = begun_after + (begun_after <> r.value ->> 9),
    due_at = iif(begun_after = r.value ->> 9, coalesce(r.value ->> 8, due_at), due_at),
    status = case when r.value ->> 7 = 1 then 'delivered'
    when status <> 'pending' or begun_after <> r.value ->> 9 then status
    when r.value ->> 8 is null or exists (select 1 from webhooks w
    where w.id = deliveries.webhook_id and w.deleted_at is not null) then 'failed' else 'pending' end,
    response_status = r.value ->> 3, error = r.value ->> 4, duration_ms = r.value ->> 5,
    delivered_at = iif(r.value ->> 7 = 1, r.value ->> 2, delivered_at), signed = r.value ->> 10
    from json_each(${rows}) r where deliveries.id = r.value ->> 0 and ${counts("deliveries")}`;
}

/** A 410 of an old target does not end a subscription that has a new one. */
function deleteGone(rows: string): Sql {
  return sql`update webhooks set deleted_at = g.at, target_gone = 1, updated_at = g.at, version = version + 1
    from (select d.webhook_id as id, r.value ->> 11 as url, max(r.value ->> 2) as at
    from json_each(${rows}) r cross join deliveries d on d.id = r.value ->> 0
    where ${isNext(sql`d`)} group by d.webhook_id, r.value ->> 11) g
    where webhooks.id = g.id and webhooks.target_url = g.url and webhooks.deleted_at is null`;
}

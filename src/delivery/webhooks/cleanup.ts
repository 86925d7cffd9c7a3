/**
 * Keeps deliveries and events for 30 days for the log and for redelivery. Never deletes pending deliveries.
 */
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { inSteps, stepRows } from "../../db/expiry.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { endUndeliverable } from "./undeliverable.ts";

const keptFor = lifetimes.event;

/**
 * Removes ended deliveries older than 30 days with their attempts, and events without deliveries, in bounded
 * steps. Ends deliveries that wait for deleted subscriptions, and deletes expired tokens. `now`: epoch
 * milliseconds. Returns the number of removed rows.
 */
export async function removeOldDeliveries(deps: Pick<Deps, "db">, now: number): Promise<number> {
  await endUndeliverable(deps);
  await forgetTokens(deps, now);
  const since = now - keptFor;
  const before = formatTimestamp(since);
  const old = sql`select id from deliveries indexed by deliveries_by_age
    where status <> 'pending' and created_at < ${before}
    order by created_at, rowid limit ${literal(stepRows)}`;
  const deliveries = await inSteps(deps.db, [
    sql`delete from delivery_attempts where delivery_id in (${old})`,
    sql`delete from deliveries where id in (${old})`,
  ]);
  const events = await inSteps(deps.db, [
    sql`delete from outbox where id in (select o.id from outbox o where o.id < ${firstIdOf(since)}
      and not exists (select 1 from deliveries d where d.event_id = o.id) order by o.id limit ${
      literal(stepRows)
    })`,
  ]);
  return deliveries + events;
}

/** Deletes expired tokens. */
async function forgetTokens(deps: Pick<Deps, "db">, now: number): Promise<void> {
  await deps.db.write([
    sql`update webhooks set previous_token = null, previous_token_until = null where previous_token_until <= ${now}`,
  ]);
}

/** Returns the smallest event id of a time in epoch milliseconds. Ids of events begin with their time. */
function firstIdOf(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/**
 * Keeps deliveries and events for 30 days for the log and for redelivery. Never deletes pending deliveries.
 */
import { testEvent } from "../../core/events.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { runInSteps, stepRows } from "../../db/expiry.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { endUndeliverable } from "./undeliverable.ts";

const keptFor = lifetimes.event;

/**
 * Removes ended deliveries older than 30 days with their attempts, and events without deliveries, in bounded
 * steps. Ends deliveries that wait for deleted subscriptions, and deletes expired tokens. `now`: epoch
 * milliseconds. Returns the number of removed rows.
 */
export async function removeOldDeliveries(
  deps: Pick<Deps, "db" | "deleteNaming">,
  now: number,
): Promise<number> {
  await endUndeliverable(deps);
  await forgetTokens(deps, now);
  const since = now - keptFor;
  const before = formatTimestamp(since);
  const old = sql`select id from deliveries indexed by deliveries_by_age
    where status <> 'pending' and created_at < ${before}
    order by created_at, rowid limit ${literal(stepRows)}`;
  const deliveries = await runInSteps(deps.db, [
    ...deps.deleteNaming("delivery", old),
    sql`delete from deliveries where id in (${old})`,
  ]);
  // True time, because authors may act in another.
  const events = sql`select o.position from outbox o indexed by outbox_by_age where o.recorded_at < ${since}
    and not exists (select 1 from deliveries d where d.event_id = o.id)
    order by o.recorded_at, o.position limit ${literal(stepRows)}`;
  const removed = await runInSteps(deps.db, [
    sql`insert into feed_floors (company_id, position) select company_id, max(position) from outbox
      where position in (${events}) and event_name <> ${testEvent} group by company_id
      on conflict (company_id) do update set position = max(position, excluded.position)`,
    sql`delete from outbox where position in (${events})`,
  ]);
  return deliveries + removed;
}

/** Deletes expired tokens. */
async function forgetTokens(deps: Pick<Deps, "db">, now: number): Promise<void> {
  await deps.db.write([
    sql`update webhooks set previous_token = null, previous_token_until = null where previous_token_until <= ${now}`,
  ]);
}

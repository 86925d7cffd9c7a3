/**
 * Brings the waiting deliveries of a subscription into the order of their records' events, or out of it, when the
 * subscription changes. All but the first of a record are parked; the end of a delivery releases the next (a trigger).
 */
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 500;

/** Names the records of waiting deliveries, or releases parked ones, before the subscription changes. */
export async function prepareOrder(ctx: Context, webhookId: number, ordered: boolean): Promise<void> {
  const some = sql` limit ${literal(step)}`;
  for (;;) {
    const [changed] = await writeBefore(ctx, [
      ordered ? nameRecords(webhookId, some) : unpark(webhookId, some),
    ]);
    if (changed!.changes < step) return;
  }
}

/** The statements of the commit that changes the subscription at `now` (epoch milliseconds). */
export function changeOrder(webhookId: number, ordered: boolean, now: number): Statement[] {
  if (!ordered) return [unpark(webhookId, sql``)];
  return [
    nameRecords(webhookId, sql``),
    sql`update deliveries as d set parked = 1, due_at = min(due_at, ${now}) where d.webhook_id = ${webhookId}
      and d.status = 'pending' and d.again = 0 and d.entity is not null and d.parked = 0 and d.rowid > (
      select min(e.rowid) from deliveries e indexed by deliveries_in_order where e.webhook_id = ${webhookId}
      and e.entity = d.entity and e.status = 'pending' and e.again = 0 and e.entity is not null)`,
  ];
}

function nameRecords(webhookId: number, limit: Sql): Sql {
  return sql`update deliveries set entity = (select o.entity_type || ' ' || o.entity_id from outbox o
    where o.id = deliveries.event_id) where rowid in (select d.rowid from deliveries d indexed by deliveries_ready
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.again = 0 and d.entity is null${limit})`;
}

function unpark(webhookId: number, limit: Sql): Sql {
  return sql`update deliveries set parked = 0, entity = null where rowid in (select d.rowid from deliveries d
    indexed by deliveries_ready where d.webhook_id = ${webhookId} and d.status = 'pending'
    and d.entity is not null${limit})`;
}

/**
 * Brings the waiting deliveries of a subscription into the order of their records' events, or out of it, when the
 * subscription changes. All but the first of a record are parked; the end of a delivery releases the next (a trigger).
 */
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWorkIf, notInWork } from "../../staged/work.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 500;

/**
 * Names the records of waiting deliveries before the subscription becomes ordered. Until it does, that changes
 * nothing: no delivery is parked.
 */
export async function prepareOrder(ctx: Context, webhookId: number): Promise<void> {
  const some = sql` limit ${literal(step)}`;
  for (;;) {
    const [named] = await writeBefore(ctx, [nameRecords(webhookId, some)]);
    if (named!.changes < step) return;
  }
}

/** The statements of the commit that makes the subscription ordered at `now` (epoch milliseconds). */
export function beginOrder(webhookId: number, now: number): Statement[] {
  return [
    nameRecords(webhookId, sql``),
    sql`update deliveries as d set parked = 1, due_at = min(due_at, ${now}) where d.webhook_id = ${webhookId}
      and d.status = 'pending' and d.again = 0 and d.entity is not null and d.parked = 0 and d.rowid > (
      select min(e.rowid) from deliveries e indexed by deliveries_in_order where e.webhook_id = ${webhookId}
      and e.entity = d.entity and e.status = 'pending' and e.again = 0 and e.entity is not null)`,
  ];
}

/**
 * The statements of the commit that ends the order of the subscription, and behind it: they release the first
 * deliveries, and `releaseWork` the others.
 */
export function endOrder(ctx: Context, webhookId: number): Statement[] {
  const isLeft = sql`exists (select 1 ${inOrder(webhookId)})
    and ${notInWork(releaseWork.kind, sql`${String(webhookId)}`)}`;
  return [
    release(webhookId),
    beginWorkIf(isLeft, ctx, releaseWork, { company_id: ctx.caller.companyId, subject: webhookId }),
  ];
}

/** Releases deliveries of a subscription that is no longer ordered. One that is ordered again keeps its order. */
export const releaseWork: StagedKind = {
  kind: "release_deliveries",
  step: ({ subject }) => {
    const id = Number(subject);
    return {
      reads: [
        sql`select exists (select 1 from webhooks w where w.id = ${id} and w.ordered = 0) as is_free,
          (select count(*) from (select 1 ${inOrder(id)} limit ${literal(step + 1)})) as waiting`,
      ],
      apply(_author, [found]) {
        const { is_free, waiting } = found!.rows[0]!;
        const more = is_free === 1 && Number(waiting) > step;
        // A change since the reads counts on this work: it begins none beside it.
        const isDone = guardThat(
          "webhook",
          sql`not exists (select 1 from webhooks w where w.id = ${id} and w.ordered = 0)
            or not exists (select 1 ${inOrder(id)})`,
        );
        return {
          statements: [...is_free === 1 ? [release(id)] : [], ...more ? [] : [isDone]],
          events: [],
          more,
        };
      },
    };
  },
};

/** Makes the steps of the release, and sends what it has released. */
export async function releaseRest(deps: Deps, now: number, companyId: number, id: number): Promise<void> {
  const steps = await runStaged(deps, now, [releaseWork], id);
  if (steps > 0) deps.wakeDeliveries([companyId]);
}

function nameRecords(webhookId: number, limit: Sql): Sql {
  return sql`update deliveries set entity = (select o.entity_type || ' ' || o.entity_id from outbox o
    where o.id = deliveries.event_id) where rowid in (select d.rowid from deliveries d indexed by deliveries_ready
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.again = 0 and d.entity is null${limit})`;
}

/** SQL, beginning with `from`: the waiting deliveries with a place in the order. */
function inOrder(webhookId: number): Sql {
  return sql`from deliveries d indexed by deliveries_in_order where d.webhook_id = ${webhookId}
    and d.status = 'pending' and d.again = 0 and d.entity is not null`;
}

/** Releases the first of them, if the subscription is not ordered. */
function release(webhookId: number): Sql {
  return sql`update deliveries set parked = 0, entity = null
    where rowid in (select d.rowid ${inOrder(webhookId)} limit ${literal(step)}) and exists (select 1
    from webhooks w where w.id = ${webhookId} and w.ordered = 0)`;
}

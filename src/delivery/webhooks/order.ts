/**
 * Brings the waiting deliveries of a subscription into the order of their records' events, or out of it, when the
 * subscription changes. All but the first of a record are parked; the end of a delivery releases the next (a trigger).
 */
import type { Context } from "../../db/context.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { noChange, type StagedKind } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWorkIf, endWork, isNotInWork } from "../../staged/work.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 500;

/**
 * The statements of the commit that makes the subscription ordered. What waits comes into the order in steps, and until
 * they are done nothing is sent to the subscription.
 */
export function beginOrder(ctx: Context, webhookId: number): Statement[] {
  const isWaiting = sql`exists (select 1 from deliveries d indexed by deliveries_ready
    where d.webhook_id = ${webhookId} and d.status = 'pending')`;
  return [
    // Earlier work may have passed what has left the order since.
    endWork(orderWork.kind, sql`select ${String(webhookId)}`),
    beginWorkIf(isWaiting, ctx, orderWork, { company_id: ctx.caller.companyId, subject: webhookId }),
  ];
}

/** SQL: whether the deliveries of the subscription are coming into order. */
export function isComingIntoOrder(webhookId: Sql): Sql {
  return sql`not ${isNotInWork(orderWork.kind, sql`cast(${webhookId} as text)`)}`;
}

/** How far the work is: first it names the deliveries, by the time at which they are due, then it visits each record. */
interface OrderProgress {
  readonly due?: readonly [dueAt: number, rowid: number];
  readonly entity?: string;
}

interface UnnamedDelivery extends Row {
  readonly row: number;
  readonly due_at: number;
  readonly entity: string;
}

/** Names the records of waiting deliveries, and parks all but the first of each. */
export const orderWork: StagedKind = {
  kind: "order_deliveries",
  step({ subject, payload }) {
    const id = Number(subject);
    const progress = JSON.parse(payload) as OrderProgress;
    return {
      reads: [
        sql`select exists (select 1 from webhooks w where w.id = ${id} and w.ordered = 1) as is_ordered`,
        progress.entity === undefined ? selectUnnamed(id, progress) : selectRecords(id, progress.entity),
      ],
      apply({ now }, [webhook, found]) {
        if (webhook!.rows[0]!.is_ordered !== 1) return noChange;
        const isOrdered = guardThat(
          "webhook",
          sql`exists (select 1 from webhooks w where w.id = ${id} and w.ordered = 1)`,
        );
        const next = (then: OrderProgress | null, statements: Statement[]) => ({
          statements: [isOrdered, ...statements],
          events: [],
          more: then !== null,
          ...(then ? { payload: JSON.stringify(then) } : {}),
        });
        if (progress.entity !== undefined) {
          const entities = found!.rows.map(({ entity }) => String(entity));
          return next(entities.length < step ? null : { entity: entities.at(-1)! }, [
            startFirsts(id, entities),
          ]);
        }
        const rows = found!.rows as UnnamedDelivery[];
        const last = rows.at(-1);
        // What became due earlier meanwhile may lie behind the place that was reached.
        if (!last) return next(progress.due ? {} : { entity: "" }, []);
        return next({ due: [last.due_at, last.row] }, nameAndPark(id, now, rows));
      },
    };
  },
};

/** Makes the steps of the order, and sends what is due. */
export async function orderWaiting(deps: Deps, now: number, companyId: number, id: number): Promise<void> {
  await runStaged(deps, now, [orderWork], id);
  deps.wakeDeliveries([companyId]);
}

function selectUnnamed(webhookId: number, { due = [Number.MIN_SAFE_INTEGER, 0] }: OrderProgress): Statement {
  return sql`select d.rowid as row, d.due_at, o.entity_type || ' ' || o.entity_id as entity
    from deliveries d indexed by deliveries_ready join outbox o on o.id = d.event_id
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.parked = 0 and d.again = 0 and d.entity is null
    and (d.due_at, d.rowid) > (${due[0]}, ${due[1]}) order by d.due_at, d.rowid limit ${literal(step)}`;
}

/** Selects the records with deliveries in order, one seek each. */
function selectRecords(webhookId: number, after: string): Statement {
  const next = (from: Sql) =>
    sql`(select d.entity from deliveries d indexed by deliveries_in_order where d.webhook_id = ${webhookId}
      and d.status = 'pending' and d.again = 0 and d.entity is not null and d.entity > ${from}
      order by d.entity limit 1)`;
  return sql`with recursive records (entity) as (select ${next(sql`${after}`)}
    union all select ${next(sql`records.entity`)} from records where records.entity is not null)
    select entity from records where entity is not null limit ${literal(step)}`;
}

/** Parks all but the first of each record; what is released later is due at once. */
function nameAndPark(webhookId: number, now: number, rows: readonly UnnamedDelivery[]): Statement[] {
  const given = JSON.stringify(rows.map(({ row, entity }) => [row, entity]));
  const park = sql`update deliveries set parked = 1, due_at = min(due_at, ${now}) where parked = 0`;
  const unnamed = sql`select v.value ->> 1 as entity, d.rowid as row from json_each(${given}) v
    join deliveries d on d.rowid = v.value ->> 0
    where d.status = 'pending' and d.again = 0 and d.entity is null`;
  const first = (entity: Sql) => selectFirst(webhookId, entity);
  return [
    // What was the first of a record until now.
    sql`${park} and rowid in (select ${first(sql`u.entity`)} from (${unnamed}) u group by u.entity
      having min(u.row) < ${first(sql`u.entity`)})`,
    sql`update deliveries set entity = u.entity from (${unnamed}) u where deliveries.rowid = u.row`,
    sql`${park} and rowid in (select v.value ->> 0 from json_each(${given}) v) and entity is not null
      and status = 'pending' and again = 0 and rowid > ${first(sql`deliveries.entity`)}`,
  ];
}

/** SQL: the first delivery of a record that is in order. */
function selectFirst(webhookId: number, entity: Sql): Sql {
  return sql`(select f.rowid from deliveries f indexed by deliveries_in_order where f.webhook_id = ${webhookId}
    and f.entity = ${entity} and f.status = 'pending' and f.again = 0 and f.entity is not null
    order by f.rowid limit 1)`;
}

/** Lets the first delivery of each record go: an end of the order may have left parked ones alone. */
function startFirsts(webhookId: number, entities: readonly string[]): Statement {
  return sql`update deliveries set parked = 0 where parked = 1 and rowid in (
    select ${selectFirst(webhookId, sql`v.value`)} from json_each(${JSON.stringify(entities)}) v)`;
}

/**
 * The statements of the commit that ends the order of the subscription, and behind it: they release the first
 * deliveries, and `releaseWork` the others.
 */
export function endOrder(ctx: Context, webhookId: number): Statement[] {
  const isLeft = sql`exists (select 1 ${composeRowsInOrder(webhookId)})
    and ${isNotInWork(releaseWork.kind, sql`${String(webhookId)}`)}`;
  return [
    endWork(orderWork.kind, sql`select ${String(webhookId)}`),
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
          (select count(*) from (select 1 ${composeRowsInOrder(id)} limit ${literal(step + 1)})) as waiting`,
      ],
      apply(_author, [found]) {
        const { is_free, waiting } = found!.rows[0]!;
        const more = is_free === 1 && Number(waiting) > step;
        // A change since the reads counts on this work: it begins none beside it.
        const isDone = guardThat(
          "webhook",
          sql`not exists (select 1 from webhooks w where w.id = ${id} and w.ordered = 0)
            or not exists (select 1 ${composeRowsInOrder(id)})`,
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

/** SQL, beginning with `from`: the waiting deliveries with a place in the order. */
function composeRowsInOrder(webhookId: number): Sql {
  return sql`from deliveries d indexed by deliveries_in_order where d.webhook_id = ${webhookId}
    and d.status = 'pending' and d.again = 0 and d.entity is not null`;
}

/** Releases the first of them, if the subscription is not ordered. */
function release(webhookId: number): Sql {
  return sql`update deliveries set parked = 0, entity = null
    where rowid in (select d.rowid ${composeRowsInOrder(webhookId)} limit ${literal(step)})
      and exists (select 1 from webhooks w where w.id = ${webhookId} and w.ordered = 0)`;
}

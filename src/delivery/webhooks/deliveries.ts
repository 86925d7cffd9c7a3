/** The log of a subscription's deliveries. */
import { isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Paging, threadDeepPages } from "../../lists/paging.ts";
import { bindRows, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { stripFields } from "./hidden_fields.ts";
import {
  type Attempt,
  type DeliveryFacts,
  presentWhole,
  type WholeDeliveryFacts,
} from "./present_delivery.ts";
import { isOwnDelivery, requireWebhook, webhookById } from "./queries.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The sort fields of lists, and the default order. */
export const deliveryOrder = { sorts: { created_at: "created_at" }, order: "-created_at" };

/** Attempts to show per delivery, the last ones. */
const mostAttemptsShown = 200;

const columns =
  sql`delivery.id, delivery.status, delivery.attempts, delivery.response_status, delivery.error, delivery.duration_ms,
  delivery.due_at, delivery.created_at, delivery.delivered_at, o.event_name, o.entity_id`;

/** Returns a page of the visible deliveries of a subscription, newest first, with the total. */
export async function listDeliveries(
  ctx: Context,
  webhookId: number,
  status: DeliveryStatus | undefined,
  paging: Paging,
): Promise<{ rows: (Row & DeliveryFacts)[]; total: number }> {
  const statuses = status ? [status] : deliveryStatuses;
  const ids = sql`select ${webhookId} as id`;
  const [webhook, rows, total] = await ctx.deps.db.read([
    webhookById(ctx.caller.companyId, webhookId),
    selectLogPage(ctx, ids, statuses, paging),
    selectTotal(ctx, ids, statuses),
  ]);
  requireWebhook(ctx, webhook!);
  return { rows: rows!.rows as (Row & DeliveryFacts)[], total: Number(total!.rows[0]!.n) };
}

/** Returns a page of the visible deliveries of all subscriptions that the caller lists, newest first. */
export async function listAllDeliveries(
  ctx: Context,
  status: DeliveryStatus | undefined,
  paging: Paging,
): Promise<{ rows: (Row & DeliveryFacts & { webhook_id: number })[]; total: number }> {
  const statuses = status ? [status] : deliveryStatuses;
  const { companyId, userId } = ctx.caller;
  const own = isAdmin(ctx.caller) ? sql`` : sql` and user_id = ${userId}`;
  const ids = sql`select id from webhooks where company_id = ${companyId} and deleted_at is null${own}`;
  const [rows, total] = await ctx.deps.db.read([
    selectLogPage(ctx, ids, statuses, paging),
    selectTotal(ctx, ids, statuses),
  ]);
  return {
    rows: rows!.rows as (Row & DeliveryFacts & { webhook_id: number })[],
    total: Number(total!.rows[0]!.n),
  };
}

/**
 * Reads a page and one more row of the subscriptions that `webhooks` selects. An index has the deliveries of
 * each status of one subscription in the log's order, so as many of each are read as the page may show.
 */
function selectLogPage(
  ctx: Context,
  webhooks: Sql,
  statuses: readonly DeliveryStatus[],
  paging: Paging,
): Statement {
  const { offset: skipped } = paging;
  const order = paging.sort.descending ? sql`desc` : sql`asc`;
  const beyond = paging.sort.descending ? sql`<` : sql`>`;
  const after = paging.after
    ? sql` and (d.created_at, d.id) ${beyond} (${paging.after[0]}, ${paging.after[1]})`
    : sql``;
  const most = bindRows(skipped + paging.per_page + 1);
  const isOwn = isOwnDelivery(ctx, "d");
  const each = statuses.map((status) =>
    sql`select r.value ->> 0 as created_at, r.value ->> 1 as id from (${webhooks}) s cross join json_each((
      select json_group_array(json_array(f.created_at, f.id)) from (
        select d.created_at, d.id from deliveries d where d.webhook_id = s.id and d.status = ${status}
        and ${isOwn}${after} order by d.created_at ${order}, d.id ${order} limit ${most}) f))
      r`
  );
  const ids = sql`select id from (${joinSql(each, " union all ")} order by created_at ${order}, id ${order}
    limit ${bindRows(paging.per_page + 1)} offset ${bindRows(skipped)})`;
  return {
    ...sql`select ${columns}, delivery.webhook_id, delivery.created_at as page_key, delivery.id as page_id
      from deliveries delivery join outbox o on o.id = delivery.event_id where delivery.id in (${ids})
      order by delivery.created_at ${order}, delivery.id ${order}`,
    ...threadDeepPages(ctx.caller.companyId, skipped),
  };
}

/**
 * Reads the total as `n`: from the counters, or by counting when the caller sees only a part of a
 * subscription's deliveries.
 */
function selectTotal(ctx: Context, webhooks: Sql, statuses: readonly string[]): Statement {
  const among = sql`webhook_id = s.id and status in (select value
    from json_each(${JSON.stringify(statuses)}))`;
  return sql`select coalesce(sum(iif((select owned_since from webhooks where id = s.id) is null
    or ${isAdmin(ctx.caller) ? 1 : 0}, (select coalesce(sum(n), 0) from delivery_counts where ${among}),
    (select count(*) from deliveries d where ${among} and ${isOwnDelivery(ctx, "d")}))), 0) as n
    from (${webhooks}) s`;
}

/** The facts of a delivery that verbs need. */
export type OwnDelivery = WholeDeliveryFacts & {
  /** In stored form; see `db/json_pool.ts`. */
  readonly body: string;
  readonly hidden_fields: string | null;
  readonly webhook_id: number;
  readonly user_id: number;
  readonly webhook_version: number;
};

/** The statement that `requireDelivery` reads. */
export function selectDeliveryById(ctx: Context, id: string): Statement {
  return sql`select ${columns}, delivery.webhook_id, delivery.signed, delivery.hidden_fields, o.sequence, o.executor_id,
    o.body, o.created_at as generated_at, w.user_id, w.version as webhook_version
    from deliveries delivery join outbox o on o.id = delivery.event_id join webhooks w on w.id = delivery.webhook_id
    where delivery.id = ${id} and delivery.company_id = ${ctx.caller.companyId} and w.deleted_at is null
    and ${isOwnDelivery(ctx, "delivery")}`;
}

/** Returns the delivery; 404 when it does not exist or the caller does not see its subscription. */
export function requireDelivery(ctx: Context, { rows: [row] }: Result): OwnDelivery {
  if (!row || (row.user_id !== ctx.caller.userId && !isAdmin(ctx.caller))) throw notFound();
  return row as OwnDelivery;
}

/** Returns 200 with the last request and the attempts, oldest first. */
export async function getDelivery(ctx: Context, id: string) {
  const { caller, deps } = ctx;
  const [found, attempts] = await deps.db.read([
    selectDeliveryById(ctx, id),
    sql`select a.at, a.response_status, a.error, a.duration_ms, a.response_excerpt from delivery_attempts a
      where a.delivery_id = ${id} order by a.number desc limit ${literal(mostAttemptsShown)}`,
  ]);
  const row = requireDelivery(ctx, found!);
  const sent = stripFields(await deps.jsonPool.expand(row.body), row.hidden_fields);
  const made = attempts!.rows.reverse() as (Row & Attempt)[];
  return ok(presentWhole(row, sent, made, row.user_id === caller.userId));
}

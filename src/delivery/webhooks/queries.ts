/** Reads of subscriptions. */
import { isAdmin } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import type { webhooks } from "./table.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** Reads the caller's own subscriptions, or the company's for an admin, oldest first. */
export async function listWebhooks(ctx: Context): Promise<WebhookRow[]> {
  const { caller, deps } = ctx;
  const own = isAdmin(caller)
    ? sql`${rawSql(columns)} where company_id = ${caller.companyId} and deleted_at is null order by id`
    : sql`${
      rawSql(columns)
    } where company_id = ${caller.companyId} and user_id = ${caller.userId} and deleted_at is null order by id`;
  const [result] = await deps.db.read([own]);
  return result!.rows as WebhookRow[];
}

/**
 * Returns the subscription; 404 when it does not exist, or belongs to another user and the caller is not an
 * admin.
 */
export async function readWebhook(ctx: Context, id: number): Promise<WebhookRow> {
  const [result] = await ctx.deps.db.read([webhookById(ctx.caller.companyId, id)]);
  return webhookOf(ctx, result!);
}

/** The statement that `webhookOf` reads. */
export function webhookById(companyId: number, id: number): Statement {
  return sql`${rawSql(columns)} where id = ${id} and company_id = ${companyId} and deleted_at is null`;
}

/** The same, including one that its target ended. */
export function webhookOrGone(companyId: number, id: number): Statement {
  return sql`${
    rawSql(columns)
  } where id = ${id} and company_id = ${companyId} and (deleted_at is null or target_gone = 1)`;
}

/** Returns the subscription of a result; 404 like `readWebhook`. */
export function webhookOf({ caller }: Context, { rows }: Result): WebhookRow {
  const webhook = rows[0] as WebhookRow | undefined;
  if (!webhook || (webhook.user_id !== caller.userId && !isAdmin(caller))) throw notFound();
  return webhook;
}

/**
 * SQL condition: the delivery was made for the subscription's present user, or the caller may see deliveries
 * for the former one. A shared time counts as the former's.
 */
export function ownDelivery({ caller }: Context, alias: string): Sql {
  if (isAdmin(caller)) return sql`true`;
  const since = `(select w.owned_since from webhooks w where w.id = ${alias}.webhook_id)`;
  return sql`${rawSql(alias)}.created_at > coalesce(${rawSql(since)}, '')`;
}

/** Selects a row when another subscription of the company has the URL of this one. */
export function urlTaken(companyId: number, id: number): Statement {
  return sql`select o.id from webhooks w join webhooks o on o.company_id = w.company_id and o.target_url = w.target_url
    and o.deleted_at is null and o.id <> w.id where w.id = ${id} and w.company_id = ${companyId}`;
}

/** Reads `subscriptions`: their number in the company, including paused ones. */
export function subscriptionsOf(companyId: number): Statement {
  return statement(`select ${subscriptionCount} as subscriptions`, companyId);
}

/** Guards that the company has room for another subscription. */
export function guardRoom(companyId: number, limit: number): Statement {
  return guardThat("webhook_limit", statement(`${subscriptionCount} < ?`, companyId, limit));
}

const subscriptionCount = "(select count(*) from webhooks where company_id = ? and deleted_at is null)";

/** Selects a row when a subscription of the company has the URL. */
export function webhookByUrl(companyId: number, url: string): Statement {
  return sql`select id from webhooks where company_id = ${companyId} and target_url = ${url} and deleted_at is null`;
}

const columns =
  "select id, company_id, user_id, target_url, event_name, verification_token, previous_token, " +
  "previous_token_until, scope, paused_at, deleted_at, target_gone, owned_since, failing_since, failures, created_at, updated_at, " +
  "version from webhooks";

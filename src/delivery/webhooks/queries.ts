/** Reads of subscriptions. */
import { and, eq, isNull, or } from "drizzle-orm";
import { isAdmin } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { type WebhookRow, webhooks } from "./record.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

/** Reads the caller's own subscriptions, or the company's for an admin, oldest first. */
export async function listWebhooks(ctx: Context): Promise<WebhookRow[]> {
  const { caller, deps } = ctx;
  const own = isAdmin(caller)
    ? webhooksOfCompany(caller.companyId)
    : webhooksOfUser(caller.companyId, caller.userId);
  const [result] = await deps.db.read([own]);
  return webhooksOfCompany.rows(result);
}

/**
 * Returns the subscription; 404 when it does not exist, or belongs to another user and the caller is not an
 * admin.
 */
export async function readWebhook(ctx: Context, id: number): Promise<WebhookRow> {
  const [result] = await ctx.deps.db.read([webhookById(ctx.caller.companyId, id)]);
  return requireWebhook(ctx, result!);
}

const webhooksOfCompany = prepareQuery((companyId: Param<number>) =>
  drizzle.select().from(webhooks)
    .where(and(eq(webhooks.company_id, companyId), isNull(webhooks.deleted_at)))
    .orderBy(webhooks.id)
);

const webhooksOfUser = prepareQuery((companyId: Param<number>, userId: Param<number>) =>
  drizzle.select().from(webhooks)
    .where(
      and(eq(webhooks.company_id, companyId), eq(webhooks.user_id, userId), isNull(webhooks.deleted_at)),
    )
    .orderBy(webhooks.id)
);

/** The statement that `requireWebhook` reads. */
export const webhookById = prepareQuery((companyId: Param<number>, id: Param<number>) =>
  drizzle.select().from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.company_id, companyId), isNull(webhooks.deleted_at)))
);

/** Like `webhookById`, but also finds a subscription that its target ended. */
export const webhookOrGone = prepareQuery((companyId: Param<number>, id: Param<number>) =>
  drizzle.select().from(webhooks).where(
    and(
      eq(webhooks.id, id),
      eq(webhooks.company_id, companyId),
      or(isNull(webhooks.deleted_at), eq(webhooks.target_gone, 1)),
    ),
  )
);

/** Returns the subscription of a result; 404 like `readWebhook`. */
export function requireWebhook({ caller }: Context, result: Result): WebhookRow {
  const webhook = webhookById.row(result);
  if (!webhook || (webhook.user_id !== caller.userId && !isAdmin(caller))) throw notFound();
  return webhook;
}

/**
 * SQL condition: the delivery was made for the subscription's present user, or the caller may see deliveries
 * for the former one. A delivery from the moment of the handover counts as the former user's.
 */
export function isOwnDelivery({ caller }: Context, alias: "d" | "delivery"): Sql {
  if (isAdmin(caller)) return sql`true`;
  const own = identifier(alias);
  return sql`${own}.created_at > coalesce((select w.owned_since from webhooks w where w.id = ${own}.webhook_id), '')`;
}

/** Reads `subscriptions`: the number of subscriptions of the company, including paused ones. */
export function countSubscriptions(companyId: number): Statement {
  return sql`select ${selectSubscriptionCount(companyId)} as subscriptions`;
}

/** Guards that the company has room for another subscription. */
export function guardLimit(companyId: number, limit: number): Statement {
  return guardThat("webhook_limit", sql`${selectSubscriptionCount(companyId)} < ${limit}`);
}

function selectSubscriptionCount(companyId: number): Sql {
  return sql`(select count(*) from webhooks where company_id = ${companyId} and deleted_at is null)`;
}

/** Reads the targets of the company's subscriptions. */
export const targetsOf = prepareQuery((companyId: Param<number>) =>
  drizzle.select({ id: webhooks.id, target_url: webhooks.target_url }).from(webhooks)
    .where(and(eq(webhooks.company_id, companyId), isNull(webhooks.deleted_at)))
);

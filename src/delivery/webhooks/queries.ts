/** Reads of subscriptions. */
import { isAdmin } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { raw, type Sql, statement } from "../../db/statements.ts";
import type { webhooks } from "../../db/tables.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** The caller's own subscriptions, an admin's: all of the company. Oldest first. */
export async function listWebhooks(ctx: Context): Promise<WebhookRow[]> {
  const { caller, deps } = ctx;
  const own = isAdmin(caller)
    ? statement(`${columns} where company_id = ? and deleted_at is null order by id`, caller.companyId)
    : statement(
      `${columns} where company_id = ? and user_id = ? and deleted_at is null order by id`,
      caller.companyId,
      caller.userId,
    );
  const [result] = await deps.db.read([own]);
  return result!.rows as WebhookRow[];
}

/** The subscription; 404 when it is not there, or is another user's and the caller is no admin. */
export async function readWebhook(ctx: Context, id: number): Promise<WebhookRow> {
  const [result] = await ctx.deps.db.read([webhookById(ctx.caller.companyId, id)]);
  return webhookOf(ctx, result!);
}

/** The statement that `webhookOf` reads. */
export function webhookById(companyId: number, id: number): Statement {
  return statement(`${columns} where id = ? and company_id = ? and deleted_at is null`, id, companyId);
}

/** The same where a target that was gone has deleted it, too. */
export function webhookOrGone(companyId: number, id: number): Statement {
  return statement(
    `${columns} where id = ? and company_id = ? and (deleted_at is null or gone = 1)`,
    id,
    companyId,
  );
}

/** The subscription that was read; 404 as with `readWebhook`. */
export function webhookOf({ caller }: Context, { rows }: Result): WebhookRow {
  const webhook = rows[0] as WebhookRow | undefined;
  if (!webhook || (webhook.user_id !== caller.userId && !isAdmin(caller))) throw notFound();
  return webhook;
}

/**
 * SQL: that a delivery of `alias` was made for the subscription's present user, or that the caller may see what
 * was made for the one before. A moment that both share counts as before.
 */
export function ownDelivery({ caller }: Context, alias: string): Sql {
  if (isAdmin(caller)) return raw("true");
  const since = `(select w.owned_since from webhooks w where w.id = ${alias}.webhook_id)`;
  return raw(`${alias}.created_at > coalesce(${since}, '')`);
}

/** A row when another subscription of the company has the URL of this one. */
export function urlTaken(companyId: number, id: number): Statement {
  return statement(
    "select o.id from webhooks w join webhooks o on o.company_id = w.company_id and o.target_url = w.target_url " +
      "and o.deleted_at is null and o.id <> w.id where w.id = ? and w.company_id = ?",
    id,
    companyId,
  );
}

/** Reads `subscriptions`: how many the company has, paused ones too. */
export function subscriptionsOf(companyId: number): Statement {
  return statement(`select ${subscriptionCount} as subscriptions`, companyId);
}

/** Refuses the batch when the company has as many subscriptions as it may have, so that one more is too many. */
export function guardRoom(companyId: number, limit: number): Statement {
  return guardThat("webhook_limit", `${subscriptionCount} < ?`, [companyId, limit]);
}

const subscriptionCount = "(select count(*) from webhooks where company_id = ? and deleted_at is null)";

/** A row when a subscription of the company has the URL already. */
export function webhookByUrl(companyId: number, url: string): Statement {
  return statement(
    "select id from webhooks where company_id = ? and target_url = ? and deleted_at is null",
    companyId,
    url,
  );
}

const columns =
  "select id, company_id, user_id, target_url, event_name, verification_token, previous_token, " +
  "previous_token_until, scope, paused_at, deleted_at, gone, owned_since, failing_since, failures, created_at, updated_at, " +
  "version from webhooks";

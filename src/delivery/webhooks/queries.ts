/** Reads of subscriptions. */
import { isAdmin } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { statement } from "../../db/statements.ts";
import type { webhooks } from "../../db/tables.ts";
import type { Statement } from "../../platform/database/database.ts";

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
  const { caller, deps } = ctx;
  const [result] = await deps.db.read([
    statement(`${columns} where id = ? and company_id = ? and deleted_at is null`, id, caller.companyId),
  ]);
  const webhook = result!.rows[0] as WebhookRow | undefined;
  if (!webhook || (webhook.user_id !== caller.userId && !isAdmin(caller))) throw notFound();
  return webhook;
}

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
  "previous_token_until, scope, paused_at, deleted_at, gone, created_at, updated_at, version from webhooks";

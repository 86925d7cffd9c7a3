/**
 * Ends deliveries that waited when the subscription got another user, before it is resumed. They were made
 * for the former user, who may have seen more. An admin, who sees all of them, can redeliver them; if the new
 * user is an admin, they do not end.
 */
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { missed } from "../../db/outbox.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { WebhookRow } from "./record.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 500;

export async function endInherited(ctx: Context, { id, owned_since }: WebhookRow): Promise<void> {
  if (owned_since === null) return;
  for (;;) {
    const [ended] = await writeBefore(ctx, [endSome(id)]);
    if (ended!.changes < step) return;
  }
}

function endSome(webhookId: number): Sql {
  return sql`update deliveries set status = 'failed', error = ${missed} where rowid in (
    select d.rowid from webhooks w join users u on u.id = w.user_id and u.user_type <> 1
    cross join deliveries d indexed by deliveries_ready on d.webhook_id = w.id
    where w.id = ${webhookId} and d.status = 'pending' and d.created_at <= w.owned_since
    limit ${literal(step)})`;
}

/**
 * What still waited for a subscription when another user got it was made for the user before, who may have seen more.
 * It ends before the subscription is resumed; an admin, who sees all of it, can have it sent again.
 */
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { missed } from "../../db/outbox.ts";
import { statement } from "../../db/statements.ts";
import type { WebhookRow } from "./queries.ts";

/** Rows that one batch ends, so that it holds the write lock for a few milliseconds only. */
const step = 500;

const end = `update deliveries set status = 'failed', error = '${missed}' where rowid in (` +
  "select d.rowid from webhooks w join users u on u.id = w.user_id and u.user_type <> 1 " +
  "cross join deliveries d indexed by deliveries_due on d.webhook_id = w.id " +
  `where w.id = ? and d.status = 'pending' and d.created_at <= w.owned_since limit ${step})`;

export async function endInherited(ctx: Context, { id, owned_since }: WebhookRow): Promise<void> {
  if (owned_since === null) return;
  for (;;) {
    const [ended] = await writeBefore(ctx, [statement(end, id)]);
    if (ended!.changes < step) return;
  }
}

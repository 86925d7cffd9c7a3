import { notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { webhooks } from "./record.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { checkLimit, requireFree } from "./create.ts";
import { notFailing } from "./results.ts";
import { countSubscriptions, guardLimit, requireWebhook, targetsOf, webhookOrGone } from "./queries.ts";
import { answerWebhook } from "./update.ts";

/** Milliseconds after a 410 during which a subscription can be restored. */
const restorableFor = 30 * 24 * 3_600_000;

/**
 * 200 with the subscription, which receives events from now on. Deliveries that waited at the 410 have failed
 * and can be recovered. 404 after 30 days; 422 when another subscription has its URL or the company has
 * `WEBHOOK_LIMIT` subscriptions.
 */
export async function restoreWebhook(ctx: Context, id: number) {
  const { caller, deps } = ctx;
  const [found, targets, subscriptions] = await deps.db.read([
    webhookOrGone(caller.companyId, id),
    targetsOf(caller.companyId),
    countSubscriptions(caller.companyId),
  ]);
  const webhook = requireWebhook(ctx, found!);
  if (webhook.deleted_at === null) {
    return await commit(ctx, { statements: [], answer: answerWebhook(ctx, webhook) });
  }
  if (webhook.deleted_at < formatTimestamp(ctx.now - restorableFor)) throw notFound();
  requireFree(targets!, webhook.target_url, id);
  checkLimit(ctx, subscriptions!);
  const changed = { deleted_at: null, target_gone: 0, updated_at: ctx.at, ...notFailing };
  return await commit(ctx, {
    statements: [
      guardLimit(caller.companyId, deps.config.webhookLimit),
      updateVersioned(webhooks, changed, webhook),
      guardChanged("stale"),
    ],
    answer: answerWebhook(ctx, { ...webhook, ...changed }),
  });
}

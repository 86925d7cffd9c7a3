/** Subscribing and unsubscribing. */
import { type Answer, created, noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, updateVersioned } from "../../db/statements.ts";
import { webhooks } from "../../db/tables.ts";
import { checkMatch } from "../../http/conditional.ts";
import { seal } from "../../platform/crypto.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { checkRoom, requireTarget, targetTaken } from "./change.ts";
import { presentWebhook } from "./present.ts";
import { guardRoom, readWebhook, subscriptionsOf, webhookByUrl } from "./queries.ts";
import type { WebhookBody } from "./schema.ts";
import { endPending } from "./undeliverable.ts";

/** 201 with the subscription, which gets the events from now on; 422 beyond `WEBHOOK_LIMIT` of a company. */
export async function createWebhook(ctx: Context, body: WebhookBody): Promise<Answer> {
  const { caller, deps } = ctx;
  requireTarget(ctx, body);
  const [taken, subscriptions] = await deps.db.read([
    webhookByUrl(caller.companyId, body.target_url),
    subscriptionsOf(caller.companyId),
  ]);
  if (taken!.rows.length > 0) throw targetTaken();
  checkRoom(ctx, subscriptions!);
  const token = body.verification_token ?? null;
  const webhook = {
    company_id: caller.companyId,
    user_id: caller.userId,
    target_url: body.target_url,
    event_name: body.webhook_event,
    verification_token: token === null ? null : seal(deps.secretsKey, token),
    scope: body.scope ?? "global",
    paused_at: null,
    owned_since: null,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  const shown = presentWebhook({ id: null, ...webhook }, caller, deps.secretsKey);
  return await commit(ctx, {
    statements: [guardRoom(caller.companyId, deps.config.webhookLimit), insert(webhooks, webhook)],
    answer: { ...created(shown), secrets: ["verification_token"] },
    idFrom: webhooks,
  });
}

/** 204. What still waited for the target is not sent any more. */
export async function deleteWebhook(ctx: Context, id: number): Promise<Answer> {
  const { caller, deps } = ctx;
  const webhook = await readWebhook(ctx, id);
  checkMatch(ctx, () => presentWebhook(webhook, caller, deps.secretsKey));
  const answer = await commit(ctx, {
    statements: [
      updateVersioned(webhooks, { deleted_at: ctx.at, updated_at: ctx.at }, webhook),
      guardChanged("stale"),
      endPending([id]),
    ],
    answer: noContent,
  });
  // A sender that is at work notices now rather than with its next claim.
  deps.kick(caller.companyId);
  return answer;
}

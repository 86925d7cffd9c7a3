import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeTargetKey, requireFree, requireTarget } from "./create.ts";
import { notFailing } from "./results.ts";
import { endInherited } from "./end_inherited.ts";
import { beginOrder, endOrder, orderWaiting, releaseRest } from "./order.ts";
import { presentWebhook } from "./present.ts";
import { makeChanges } from "../../records/members.ts";
import { requireWebhook, targetsOf, webhookById } from "./queries.ts";
import { type WebhookChange, webhookMembers, type WebhookRow, webhooks } from "./record.ts";
import { makeTokenColumns } from "./sign.ts";

/**
 * 200 with the subscription. Waiting deliveries go to the new target with the new token; the previous token
 * signs for another 24 hours. A paused subscription receives nothing; after a resume it receives waiting
 * deliveries and its failures are reset. Inherited deliveries of a successor who is not an admin are not
 * sent.
 */
export async function updateWebhook(ctx: Context, id: number, body: WebhookChange) {
  const { caller, deps } = ctx;
  const url = body.target_url;
  if (url !== undefined) requireTarget(ctx, { target_url: url });
  const [found, targets] = await deps.db.read([
    webhookById(caller.companyId, id),
    targetsOf(caller.companyId),
  ]);
  const webhook = requireWebhook(ctx, found!);
  checkMatch(ctx, () => presentWebhook(webhook, caller, deps.secretsKey));
  const moves = url !== undefined && url !== webhook.target_url;
  if (moves) requireFree(targets!, url, id);
  const paused_at = choosePausedAt(ctx, webhook, body.paused);
  if (webhook.paused_at !== null && paused_at === null) await endInherited(ctx, webhook);
  const ordered = body.ordered === undefined ? webhook.ordered === 1 : body.ordered === true;
  const turns = ordered !== (webhook.ordered === 1);
  const begins = moves || paused_at !== webhook.paused_at;
  // Others see null in place of the token, so their null is no wish to end the signing.
  const isHidden = caller.userId !== webhook.user_id;
  const changed = {
    ...makeChanges(webhookMembers, body, webhook),
    ...(moves ? { target_key: makeTargetKey(url) } : {}),
    event_name: body.webhook_event ?? webhook.event_name,
    paused_at,
    updated_at: ctx.at,
    ...(body.verification_token === undefined || isHidden && body.verification_token === null
      ? {}
      : makeTokenColumns(deps.secretsKey, webhook, body.verification_token, ctx.now)),
    ...(begins ? notFailing : {}),
  };
  const answer = await commit(ctx, {
    statements: [
      updateVersioned(webhooks, changed, webhook),
      guardChanged("stale"),
      ...(turns ? ordered ? beginOrder(ctx, id) : endOrder(ctx, id) : []),
    ],
    answer: answerWebhook(ctx, { ...webhook, ...changed }),
  });
  // After a resume waiting deliveries are sent; after a pause a running sender notices now.
  deps.wakeDeliveries([caller.companyId]);
  if (turns) {
    const order = ordered ? orderWaiting : releaseRest;
    deps.background.run(() => order(deps, ctx.now, caller.companyId, id));
  }
  return answer;
}

export function answerWebhook(ctx: Context, webhook: WebhookRow) {
  const answer = ok(presentWebhook(webhook, ctx.caller, ctx.deps.secretsKey));
  return { ...answer, secrets: ["verification_token"] };
}

/** Returns `paused_at` after the change. `paused`: null ends a pause. */
function choosePausedAt(
  ctx: Context,
  webhook: WebhookRow,
  paused: boolean | null | undefined,
): string | null {
  if (paused === undefined) return webhook.paused_at;
  return paused ? webhook.paused_at ?? ctx.at : null;
}

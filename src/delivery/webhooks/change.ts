/** Changing a subscription, and bringing back one whose target was gone. */
import { type Answer, ok } from "../../core/answer.ts";
import { fieldError, invalid, notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { webhooks } from "../../db/tables.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Result } from "../../platform/database/database.ts";
import { checkTarget } from "../../platform/egress.ts";
import { notFailing } from "./failing.ts";
import { endInherited } from "./inherited.ts";
import { presentWebhook } from "./present.ts";
import {
  guardRoom,
  subscriptionsOf,
  urlTaken,
  webhookById,
  webhookByUrl,
  webhookOf,
  webhookOrGone,
  type WebhookRow,
} from "./queries.ts";
import type { WebhookBody, WebhookChange } from "./schema.ts";
import { changedTokens } from "./tokens.ts";

/** Milliseconds after a 410 for which a subscription can be brought back. */
const restorableFor = 30 * 24 * 3_600_000;

/** Refuses a target inside the service's own network. */
export function requireTarget({ deps }: Context, { target_url }: Pick<WebhookBody, "target_url">): void {
  const refused = checkTarget(target_url, deps.config.webhookAllowPrivate);
  if (refused === null) return;
  // The same address passes once private ones do: then the setting is what the caller looks for.
  const hint = checkTarget(target_url, true) === null
    ? " An operator can allow private addresses by WEBHOOK_ALLOW_PRIVATE=true."
    : "";
  throw invalid(fieldError("target_url", "format", `The address ${refused}.${hint}`));
}

export function targetTaken() {
  return invalid(fieldError("target_url", "unique", "A subscription of the company has this URL."));
}

/** Every change of a company writes a delivery for each of its subscriptions, so there is a limit to them. */
export function checkRoom({ deps }: Context, { rows }: Result): void {
  const { webhookLimit } = deps.config;
  if (Number(rows[0]!.subscriptions) < webhookLimit) return;
  throw invalid(fieldError("target_url", "max", `At most ${webhookLimit} subscriptions of a company.`));
}

/**
 * 200 with the subscription. What already waits goes to the new target, signed by the new token; the token before
 * it signs beside it for 24 hours. Paused, it is sent nothing; resumed, it is sent what waited, and counts as if
 * nothing had failed. What an heir who is no admin inherited with it stays unsent.
 */
export async function updateWebhook(ctx: Context, id: number, body: WebhookChange): Promise<Answer> {
  const { caller, deps } = ctx;
  const url = body.target_url;
  if (url !== undefined) requireTarget(ctx, { target_url: url });
  const [found, others] = await deps.db.read([
    webhookById(caller.companyId, id),
    webhookByUrl(caller.companyId, url ?? ""),
  ]);
  const webhook = webhookOf(ctx, found!);
  checkMatch(ctx, () => presentWebhook(webhook, caller, deps.secretsKey));
  if (others!.rows.some((other) => other.id !== id)) throw targetTaken();
  const paused_at = pausedAt(ctx, webhook, body.paused);
  if (webhook.paused_at !== null && paused_at === null) await endInherited(ctx, webhook);
  const begins = (url ?? webhook.target_url) !== webhook.target_url || paused_at !== webhook.paused_at;
  const changed = {
    target_url: url ?? webhook.target_url,
    event_name: body.webhook_event ?? webhook.event_name,
    scope: body.scope === undefined ? webhook.scope : body.scope ?? "global",
    paused_at,
    updated_at: ctx.at,
    ...(body.verification_token === undefined
      ? {}
      : changedTokens(deps.secretsKey, webhook, body.verification_token, ctx.now)),
    ...(begins ? notFailing : {}),
  };
  const answer = await commit(ctx, {
    statements: [updateVersioned(webhooks, changed, webhook), guardChanged("stale")],
    answer: shown(ctx, { ...webhook, ...changed }),
  });
  // Resumed, it is sent what waited; paused, a sender that is at work notices now.
  deps.kick(caller.companyId);
  return answer;
}

/**
 * 200 with the subscription, which gets the events from now on. What waited when its target was gone has failed
 * and can be recovered. 404 later than 30 days after that; 422 when its URL is another's meanwhile, or the company
 * has `WEBHOOK_LIMIT` subscriptions.
 */
export async function restoreWebhook(ctx: Context, id: number): Promise<Answer> {
  const { caller, deps } = ctx;
  const [found, others, subscriptions] = await deps.db.read([
    webhookOrGone(caller.companyId, id),
    urlTaken(caller.companyId, id),
    subscriptionsOf(caller.companyId),
  ]);
  const webhook = webhookOf(ctx, found!);
  if (webhook.deleted_at === null) return await commit(ctx, { statements: [], answer: shown(ctx, webhook) });
  if (webhook.deleted_at < formatTimestamp(ctx.now - restorableFor)) throw notFound();
  if (others!.rows.length > 0) throw targetTaken();
  checkRoom(ctx, subscriptions!);
  const changed = { deleted_at: null, target_gone: 0, updated_at: ctx.at, ...notFailing };
  return await commit(ctx, {
    statements: [
      guardRoom(caller.companyId, deps.config.webhookLimit),
      updateVersioned(webhooks, changed, webhook),
      guardChanged("stale"),
    ],
    answer: shown(ctx, { ...webhook, ...changed }),
  });
}

function shown(ctx: Context, webhook: WebhookRow): Answer {
  const answer = ok(presentWebhook(webhook, ctx.caller, ctx.deps.secretsKey));
  return { ...answer, secrets: ["verification_token"] };
}

/** Null clears a pause. */
function pausedAt(ctx: Context, webhook: WebhookRow, paused: boolean | null | undefined): string | null {
  if (paused === undefined) return webhook.paused_at;
  return paused ? webhook.paused_at ?? ctx.at : null;
}

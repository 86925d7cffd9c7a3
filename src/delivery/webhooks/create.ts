import { created } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert } from "../../db/statements.ts";
import { webhooks } from "./table.ts";
import { seal } from "../../platform/crypto.ts";
import type { Result } from "../../platform/database/database.ts";
import { checkTarget } from "../../platform/egress.ts";
import { presentWebhook } from "./present.ts";
import { guardRoom, subscriptionsOf, webhookByUrl } from "./queries.ts";
import type { WebhookBody } from "./schema.ts";

/** 201 with the subscription, which receives events from now on; 422 beyond the company's `WEBHOOK_LIMIT`. */
export async function createWebhook(ctx: Context, body: WebhookBody) {
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

/** Refuses a target inside the service's own network. */
export function requireTarget({ deps }: Context, { target_url }: Pick<WebhookBody, "target_url">): void {
  const refused = checkTarget(target_url, deps.config.webhookAllowPrivate);
  if (refused === null) return;
  // If the address passes when private ones are allowed, the message names that setting.
  const hint = checkTarget(target_url, true) === null
    ? " An operator can allow private addresses by WEBHOOK_ALLOW_PRIVATE=true."
    : "";
  throw invalid(fieldError("target_url", "format", `The address ${refused}.${hint}`));
}

export function targetTaken() {
  return invalid(fieldError("target_url", "unique", "A subscription of the company has this URL."));
}

/**
 * Throws 422 when the company has as many subscriptions as it may. The limit exists because every change of a
 * company writes a delivery for each subscription.
 */
export function checkRoom({ deps }: Context, { rows }: Result): void {
  const { webhookLimit } = deps.config;
  if (Number(rows[0]!.subscriptions) < webhookLimit) return;
  throw invalid(fieldError("target_url", "max", `At most ${webhookLimit} subscriptions of a company.`));
}

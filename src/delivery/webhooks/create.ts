import { created } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert } from "../../db/statements.ts";
import { seal } from "../../platform/crypto.ts";
import type { Result } from "../../platform/database/database.ts";
import { checkTarget } from "../../platform/egress.ts";
import { presentWebhook } from "./present.ts";
import { countSubscriptions, guardLimit, targetsOf } from "./queries.ts";
import { makeInitial } from "../../records/members.ts";
import { type WebhookBody, webhookMembers, webhooks } from "./record.ts";

/** Returns 201 with the subscription, which receives events from now on; throws 422 beyond the company's `WEBHOOK_LIMIT`. */
export async function createWebhook(ctx: Context, body: WebhookBody) {
  const { caller, deps } = ctx;
  requireTarget(ctx, body);
  const [targets, subscriptions] = await deps.db.read([
    targetsOf(caller.companyId),
    countSubscriptions(caller.companyId),
  ]);
  requireFree(targets!, body.target_url);
  checkLimit(ctx, subscriptions!);
  const token = body.verification_token ?? null;
  const webhook = {
    ...makeInitial(webhookMembers, body),
    company_id: caller.companyId,
    user_id: caller.userId,
    target_key: makeTargetKey(body.target_url),
    event_name: body.webhook_event,
    verification_token: token === null ? null : seal(deps.secretsKey, token),
    paused_at: null,
    owned_since: null,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  const shown = presentWebhook({ id: null, ...webhook }, caller, deps.secretsKey);
  return await commit(ctx, {
    statements: [guardLimit(caller.companyId, deps.config.webhookLimit), insert(webhooks, webhook)],
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

/** Refuses a target that another subscription has. `targets`: the result of `targetsOf`. */
export function requireFree({ rows }: Result, url: string, id: number | null = null): void {
  const key = makeTargetKey(url);
  if (!rows.some((other) => other.id !== id && makeTargetKey(other.target_url as string) === key)) return;
  throw invalid(fieldError("target_url", "unique", "A subscription of the company has this URL."));
}

/** Returns the form in which targets are compared: normalized, without the fragment, which is never sent. */
export function makeTargetKey(url: string): string {
  const normal = new URL(url);
  normal.hash = "";
  return normal.href;
}

/**
 * Throws 422 when the company has as many subscriptions as it may. The limit exists because every change of a
 * company writes a delivery for each subscription.
 */
export function checkLimit({ deps }: Context, { rows }: Result): void {
  const { webhookLimit } = deps.config;
  if (Number(rows[0]!.subscriptions) < webhookLimit) return;
  throw invalid(fieldError("target_url", "max", `At most ${webhookLimit} subscriptions of a company.`));
}

/** Subscriptions as clients read them. */
import { lateNumber } from "../../core/answer.ts";
import type { Caller } from "../../core/access.ts";
import { eventId } from "../../core/events.ts";
import { object } from "../../core/json.ts";
import type { webhooks } from "./table.ts";
import { open } from "../../platform/crypto.ts";

type WebhookRow = typeof webhooks.$inferSelect;

/** The facts of a subscription to present. The id is null until its batch assigns one. */
export type WebhookFacts =
  & Pick<
    WebhookRow,
    | "user_id"
    | "target_url"
    | "event_name"
    | "scope"
    | "success_status"
    | "paused_at"
    | "owned_since"
    | "created_at"
    | "updated_at"
  >
  & { readonly id: number | null; readonly verification_token: string | null };

/** `verification_token` is sealed in the facts. Only the subscription's own user sees it. */
export function presentWebhook(webhook: WebhookFacts, caller: Caller, secretsKey: Uint8Array) {
  const { verification_token: sealed } = webhook;
  return object({
    id: lateNumber(webhook.id),
    user_id: webhook.user_id,
    target_url: webhook.target_url,
    webhook_event: presentEvent(webhook.event_name),
    verification_token: sealed !== null && caller.userId === webhook.user_id
      ? open(secretsKey, sealed)
      : null,
    scope: webhook.scope,
    success_status: webhook.success_status,
    paused: webhook.paused_at !== null,
    inherited_at: webhook.owned_since,
    created_at: webhook.created_at,
    updated_at: webhook.updated_at,
  });
}

export function presentEvent(name: string) {
  return object({ id: eventId(name), event_name: name });
}

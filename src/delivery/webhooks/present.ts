/** Subscriptions as clients read them. */
import type { Caller } from "../../core/access.ts";
import { findEventId } from "../../core/events.ts";
import { open } from "../../platform/crypto.ts";
import { presentWebhookMembers, type WebhookRow } from "./record.ts";

/** The facts of a subscription to present. The id is null until its batch assigns one. */
export type WebhookFacts =
  & Omit<
    WebhookRow,
    | "id"
    | "previous_token"
    | "previous_token_until"
    | "deleted_at"
    | "target_gone"
    | "failing_since"
    | "failures"
  >
  & { readonly id: number | null };

/** `verification_token` is sealed in the facts. Only the subscription's own user sees it. */
export function presentWebhook(webhook: WebhookFacts, caller: Caller, secretsKey: Uint8Array) {
  const { verification_token: sealed } = webhook;
  return presentWebhookMembers({
    ...webhook,
    webhook_event: presentEvent(webhook.event_name),
    verification_token: sealed !== null && caller.userId === webhook.user_id
      ? open(secretsKey, sealed)
      : null,
    paused: webhook.paused_at !== null,
    inherited_at: webhook.owned_since,
  });
}

export function presentEvent(name: string) {
  return { id: findEventId(name), event_name: name };
}

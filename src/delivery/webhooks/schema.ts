import { z } from "zod";
import { eventNames, everyEvent } from "../../core/events.ts";
import { filledText, isHttpUrl, optional, ordered, orShown, text, timestamp } from "../../http/zod.ts";
import { pageOfSchema, paging } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { deliveryStatuses } from "./deliveries.ts";

export const WebhookEvent = z.object({
  id: z.int().meta({ example: 12 }),
  event_name: z.string().meta({ example: "lead_created" }),
}).meta({ id: "WebhookEvent", description: "An event to subscribe to. Its id never changes." });

export const WebhookEventList = z.object({ data: z.array(WebhookEvent) }).meta({ id: "WebhookEventList" });

const scopes = ["global", "user"] as const;
const successStatuses = ["200", "2xx"] as const;

export const Webhook = z.object({
  id: z.int().meta({ example: 3 }),
  user_id: z.int().meta({ example: 7 }),
  target_url: z.string().meta({ example: "https://example.org/hooks/crm" }),
  webhook_event: WebhookEvent,
  verification_token: z.string().nullable().meta({
    description: "Visible to the subscription's own user only.",
    example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  }),
  scope: z.enum(scopes),
  success_status: z.enum(successStatuses),
  paused: z.boolean(),
  inherited_at: z.string().nullable().meta({
    description: "When it came from a deleted user to this one, paused; null when this user created it.",
    example: null,
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Webhook", description: "A subscription. Each event is sent by POST to its target." });

export const WebhookList = z.object({ data: z.array(Webhook) }).meta({ id: "WebhookList" });

const targetUrl = text(2048).refine(isHttpUrl, refusal("format", "Must be an http or https URL."))
  .meta({ format: "uri", description: "Unique in the company. Always called with POST." });
const event = orShown("event_name", z.enum([everyEvent, ...eventNames])).meta({
  description: "`*` subscribes to everything.",
});
const scope = z.enum(scopes).nullish().meta({
  description: "`global` (default): everything that the user sees; `user`: records that the user created.",
});

const successStatus = z.enum(successStatuses).nullish().meta({
  description: "`200` (default): only 200 is success; `2xx`: every status from 200 to 299 is.",
});

export const WebhookBody = z.object({
  target_url: targetUrl,
  webhook_event: event,
  verification_token: filledText(255).nullish().meta({
    description: "Signs each request. A token that begins with `whsec_` holds its key in base64.",
  }),
  scope,
  success_status: successStatus,
}).meta({
  id: "WebhookBody",
  example: { target_url: "https://example.org/hooks/crm", webhook_event: "*", verification_token: "s3cret" },
});
export type WebhookBody = z.output<typeof WebhookBody>;

export const WebhookChange = z.object({
  target_url: targetUrl.optional(),
  webhook_event: event.optional(),
  verification_token: filledText(255).nullish().meta({
    description: "A new token signs from now on, and the previous one for another 24 hours: " +
      "`webhook-signature` has both signatures, `X-Service-Verification-Hash` uses the new token. " +
      "Null ends signing, for the subscription's own user.",
  }),
  scope,
  success_status: successStatus,
  paused: z.boolean().nullish().meta({
    description: "A paused subscription receives nothing. Events of the pause can be recovered.",
  }),
}).meta({
  id: "WebhookChange",
  description: "Absent fields keep their values.",
  example: { verification_token: "n3w s3cret", paused: false },
});
export type WebhookChange = z.output<typeof WebhookChange>;

export const RecoverBody = ordered(
  z.object({
    since: timestamp.meta({ description: "Time of the first event." }),
    until: optional(timestamp).meta({ description: "Time of the last event; now when absent." }),
  }),
  "since",
  "until",
).meta({ id: "RecoverBody", example: { since: "2026-01-31 10:00:00" } });
export type RecoverBody = z.output<typeof RecoverBody>;

export const Recovered = z.object({
  queued: z.int().meta({ description: "Number of deliveries to send again.", example: 12 }),
}).meta({ id: "Recovered" });

const attempted = {
  response_status: z.int().nullable().meta({ description: "Null without an answer.", example: 503 }),
  error: z.string().nullable().meta({
    description: "Why there was no answer or no request, or why an answer of 201 to 299 is a failure.",
  }),
  duration_ms: z.int().nullable().meta({ example: 12 }),
};

const logged = {
  id: z.string().meta({
    description: "`X-Service-Delivery`, the same at each attempt.",
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  }),
  event: z.string().meta({ example: "lead_created" }),
  entity_id: z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002" }),
  status: z.enum(deliveryStatuses).meta({
    description: "`failed`: all attempts failed, or it was missed during a pause.",
  }),
};

const moments = {
  next_attempt_at: z.string().nullable().meta({
    description: "Of a pending delivery. While the subscription is paused, it waits for the resume.",
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  delivered_at: z.string().nullable().meta({ example: "2026-01-31 10:00:01" }),
};

export const Delivery = z.object({
  ...logged,
  attempts: z.int().meta({ example: 1 }),
  ...attempted,
  ...moments,
}).meta({ id: "Delivery", description: "A delivery of an event to a subscription; kept for 30 days." });

export const DeliveryPage = pageOfSchema(Delivery, "DeliveryPage");

const DeliveryAttempt = z.object({
  at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  ...attempted,
  response_excerpt: z.string().nullable().meta({ description: "The beginning of the answer." }),
}).meta({ id: "DeliveryAttempt" });

export const WholeDelivery = z.object({
  ...logged,
  attempts: z.array(DeliveryAttempt).meta({ description: "Oldest first; the last 200." }),
  ...attempted,
  ...moments,
  request: z.object({
    headers: z.record(z.string(), z.string()).meta({
      description:
        "Headers of the last request. Hash and signature are visible to the subscription's own user only.",
    }),
    body: z.string().meta({ description: "The same bytes at every attempt." }),
  }),
}).meta({ id: "WholeDelivery", description: "A delivery with its request and its answers." });

export const DeliveryListQuery = z.object({
  status: z.enum(deliveryStatuses).optional().meta({ description: "Only these." }),
  ...paging,
});

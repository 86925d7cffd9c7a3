import { z } from "@hono/zod-openapi";
import { eventNames, everyEvent } from "../../core/events.ts";
import { filledText, isHttpUrl, optional, ordered, text, timestamp } from "../../http/zod.ts";
import { pageOfSchema, paging } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { deliveryStatuses } from "./deliveries.ts";

export const WebhookEvent = z.object({
  id: z.int().openapi({ example: 12 }),
  event_name: z.string().openapi({ example: "lead_created" }),
}).openapi("WebhookEvent", { description: "An event that can be subscribed to; its id never changes." });

export const WebhookEventList = z.object({ data: z.array(WebhookEvent) }).openapi("WebhookEventList");

const scopes = ["global", "user"] as const;

export const Webhook = z.object({
  id: z.int().openapi({ example: 3 }),
  user_id: z.int().openapi({ example: 7 }),
  target_url: z.string().openapi({ example: "https://example.org/hooks/crm" }),
  webhook_event: WebhookEvent,
  verification_token: z.string().nullable().openapi({
    description: "Shown to the subscription's own user only.",
    example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  }),
  scope: z.enum(scopes),
  paused: z.boolean(),
  inherited_at: z.string().nullable().openapi({
    description:
      "When its user got it from a deleted one, paused until somebody resumes it; null: the user made it.",
    example: null,
  }),
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
}).openapi("Webhook", { description: "A subscription: each event is sent by POST to its target." });

export const WebhookList = z.object({ data: z.array(Webhook) }).openapi("WebhookList");

const targetUrl = text(2048).refine(isHttpUrl, refusal("format", "Must be an http or https URL."))
  .openapi({ format: "uri", description: "Unique in the company. Always called with POST." });
const event = z.enum([everyEvent, ...eventNames]).openapi({ description: "`*` subscribes to everything." });
const scope = z.enum(scopes).nullish().openapi({
  description: "`global` (default): everything that the user can see; `user`: what the user created.",
});

export const WebhookBody = z.object({
  target_url: targetUrl,
  webhook_event: event,
  verification_token: filledText(255).nullish().openapi({
    description: "Signs what is sent. One that begins with `whsec_` holds its key in base64.",
  }),
  scope,
}).openapi("WebhookBody", {
  example: { target_url: "https://example.org/hooks/crm", webhook_event: "*", verification_token: "s3cret" },
});
export type WebhookBody = z.output<typeof WebhookBody>;

export const WebhookChange = z.object({
  target_url: targetUrl.optional(),
  webhook_event: event.optional(),
  verification_token: filledText(255).nullish().openapi({
    description: "Another one signs from now on, and the one before it beside it for 24 hours: " +
      "`webhook-signature` then carries both, `X-Service-Verification-Hash` is made with the new one. " +
      "Null: nothing is signed any more.",
  }),
  scope,
  paused: z.boolean().nullish().openapi({
    description: "While it is paused nothing is sent; what happens meanwhile can be recovered.",
  }),
}).openapi("WebhookChange", {
  description: "What is absent keeps its value.",
  example: { verification_token: "n3w s3cret", paused: false },
});
export type WebhookChange = z.output<typeof WebhookChange>;

export const RecoverBody = ordered(
  z.object({
    since: timestamp.openapi({ description: "When the first of the events happened." }),
    until: optional(timestamp).openapi({ description: "When the last of them happened; now when absent." }),
  }),
  "since",
  "until",
).openapi("RecoverBody", { example: { since: "2026-01-31 10:00:00" } });
export type RecoverBody = z.output<typeof RecoverBody>;

export const Recovered = z.object({
  queued: z.int().openapi({ description: "How many deliveries are sent again.", example: 12 }),
}).openapi("Recovered");

const attempted = {
  response_status: z.int().nullable().openapi({ description: "Null: no answer came.", example: 503 }),
  error: z.string().nullable().openapi({ description: "Why no answer came, or nothing was sent." }),
  duration_ms: z.int().nullable().openapi({ example: 12 }),
};

const logged = {
  id: z.string().openapi({
    description: "`X-Service-Delivery`, the same whenever it is sent.",
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  }),
  event: z.string().openapi({ example: "lead_created" }),
  entity_id: z.string().openapi({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002" }),
  status: z.enum(deliveryStatuses).openapi({
    description: "`failed`: all attempts did, or it was missed while the subscription was paused.",
  }),
};

const moments = {
  next_attempt_at: z.string().nullable().openapi({
    description: "Of one that is pending; where the subscription is paused, not before it is resumed.",
  }),
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  delivered_at: z.string().nullable().openapi({ example: "2026-01-31 10:00:01" }),
};

export const Delivery = z.object({
  ...logged,
  attempts: z.int().openapi({ example: 1 }),
  ...attempted,
  ...moments,
}).openapi("Delivery", { description: "An event on its way to a subscription; kept for 30 days." });

export const DeliveryPage = pageOfSchema(Delivery, "DeliveryPage");

const DeliveryAttempt = z.object({
  at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  ...attempted,
  response_excerpt: z.string().nullable().openapi({ description: "The beginning of what was answered." }),
}).openapi("DeliveryAttempt");

export const WholeDelivery = z.object({
  ...logged,
  attempts: z.array(DeliveryAttempt).openapi({ description: "Oldest first; the last 200." }),
  ...attempted,
  ...moments,
  request: z.object({
    headers: z.record(z.string(), z.string()).openapi({
      description:
        "As they were sent last. Hash and signature are shown to the subscription's own user only.",
    }),
    body: z.string().openapi({ description: "The same bytes at every attempt." }),
  }),
}).openapi("WholeDelivery", { description: "A delivery with what was sent and what was answered." });

export const DeliveryListQuery = z.object({
  status: z.enum(deliveryStatuses).optional().openapi({ description: "Only these." }),
  ...paging,
});

import { z } from "zod";
import { optional, requireOrder, timestamp } from "../../http/zod.ts";
import { describePage, paging } from "../../http/lists.ts";
import { deliveryStatuses } from "./deliveries.ts";
import { Webhook, WebhookEvent } from "./record.ts";

export const WebhookEventList = z.object({ data: z.array(WebhookEvent) }).meta({ id: "WebhookEventList" });

export const WebhookList = z.object({ data: z.array(Webhook) }).meta({ id: "WebhookList" });

export const RecoverBody = requireOrder(
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

export const DeliveryPage = describePage(Delivery, "DeliveryPage");

export const AnyDeliveryPage = describePage(
  Delivery.extend({ webhook_id: z.int().meta({ example: 7 }) }).meta({ id: "AnyDelivery" }),
  "AnyDeliveryPage",
);

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

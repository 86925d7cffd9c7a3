import { z } from "@hono/zod-openapi";
import { eventNames, everyEvent } from "../../core/events.ts";
import { filledText, isHttpUrl, text } from "../../http/fields.ts";
import { refusal } from "../../http/validate.ts";

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
  created_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().openapi({ example: "2026-01-31 10:00:00" }),
}).openapi("Webhook", { description: "A subscription: each event is sent by POST to its target." });

export const WebhookList = z.object({ data: z.array(Webhook) }).openapi("WebhookList");

export const WebhookBody = z.object({
  target_url: text(2048).refine(isHttpUrl, refusal("format", "Must be an http or https URL."))
    .openapi({
      format: "uri",
      description: "Unique in the company. Always called with POST.",
    }),
  webhook_event: z.enum([everyEvent, ...eventNames]).openapi({
    description: "`*` subscribes to everything.",
  }),
  verification_token: filledText(255).nullish().openapi({
    description: "Signs what is sent. One that begins with `whsec_` holds its key in base64.",
  }),
  scope: z.enum(scopes).nullish().openapi({
    description: "`global` (default): everything that the user can see; `user`: what the user created.",
  }),
}).openapi("WebhookBody", {
  example: { target_url: "https://example.org/hooks/crm", webhook_event: "*", verification_token: "s3cret" },
});

export type WebhookBody = z.output<typeof WebhookBody>;

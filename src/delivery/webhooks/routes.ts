import { ok } from "../../core/answer.ts";
import { eventNames } from "../../core/events.ts";
import { list, object } from "../../core/json.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { presentEvent, presentWebhook } from "./present.ts";
import { listWebhooks, readWebhook } from "./queries.ts";
import { Webhook, WebhookBody, WebhookEventList, WebhookList } from "./schema.ts";
import { createWebhook, deleteWebhook } from "./verbs.ts";

const tag = "Webhooks";

export const webhookEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/webhook-events",
    operation: "listWebhookEvents",
    tag,
    summary: "List the events that can be subscribed to",
    answers: { 200: { description: "All events.", schema: WebhookEventList } },
  }, () => Promise.resolve(ok(object({ data: list(eventNames.map(presentEvent)) })))),
  endpoint({
    method: "get",
    path: "/v1/webhooks",
    operation: "listWebhooks",
    tag,
    summary: "List webhook subscriptions",
    answers: { 200: { description: "The caller's own; for an admin, the company's.", schema: WebhookList } },
  }, async (ctx) => {
    const webhooks = await listWebhooks(ctx);
    const shown = webhooks.map((webhook) => presentWebhook(webhook, ctx.caller, ctx.deps.secretsKey));
    return ok(object({ data: list(shown) }));
  }),
  endpoint({
    method: "post",
    path: "/v1/webhooks",
    operation: "createWebhook",
    tag,
    summary: "Subscribe to events",
    right: "webhooks.manage",
    body: WebhookBody,
    answers: { 201: { description: "The subscription.", schema: Webhook } },
  }, async (ctx, { body }) => await createWebhook(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/webhooks/:webhook_id",
    operation: "getWebhook",
    tag,
    summary: "Get a webhook subscription",
    params: { webhook_id: "integer" },
    answers: { 200: { description: "The subscription.", schema: Webhook } },
  }, async (ctx, { params }) => {
    const webhook = await readWebhook(ctx, params.webhook_id);
    return ok(presentWebhook(webhook, ctx.caller, ctx.deps.secretsKey));
  }),
  endpoint({
    method: "delete",
    path: "/v1/webhooks/:webhook_id",
    operation: "deleteWebhook",
    tag,
    summary: "Unsubscribe",
    right: "webhooks.manage",
    params: { webhook_id: "integer" },
    answers: { 204: { description: "Unsubscribed; nothing more is sent.", schema: null } },
  }, async (ctx, { params }) => await deleteWebhook(ctx, params.webhook_id)),
];

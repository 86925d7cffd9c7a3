import { ok } from "../../core/answer.ts";
import { eventNames } from "../../core/events.ts";
import { list, object } from "../../core/json.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, pagingOf } from "../../http/lists.ts";
import type { Row } from "../../platform/database/database.ts";
import { redeliver, testWebhook } from "./redeliver.ts";
import { restoreWebhook } from "./restore.ts";
import { updateWebhook } from "./update.ts";
import { deliverySorts, getDelivery, listDeliveries } from "./deliveries.ts";
import { presentDelivery } from "./present_delivery.ts";
import { presentEvent, presentWebhook } from "./present.ts";
import { listWebhooks, readWebhook } from "./queries.ts";
import { recover } from "./recover.ts";
import {
  Delivery,
  DeliveryListQuery,
  DeliveryPage,
  RecoverBody,
  Recovered,
  Webhook,
  WebhookBody,
  WebhookChange,
  WebhookEventList,
  WebhookList,
  WholeDelivery,
} from "./schema.ts";
import { createWebhook } from "./create.ts";
import { deleteWebhook } from "./delete.ts";

const tag = "Webhooks";
const right = "webhooks.manage";
const webhook = { webhook_id: "integer" } as const;
const delivery = { delivery_id: "uuid" } as const;

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
    description: "A company has at most 100 subscriptions, paused ones counted, unless the operator sets " +
      "another `WEBHOOK_LIMIT`; one more is 422 `max`.",
    right,
    body: WebhookBody,
    answers: { 201: { description: "The subscription.", schema: Webhook } },
  }, async (ctx, { body }) => await createWebhook(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/webhooks/deliveries/:delivery_id",
    operation: "getDelivery",
    tag,
    summary: "Get a delivery with its request and its attempts",
    params: delivery,
    answers: { 200: { description: "The delivery.", schema: WholeDelivery } },
  }, (ctx, { params }) => getDelivery(ctx, params.delivery_id)),
  endpoint({
    method: "post",
    path: "/v1/webhooks/deliveries/:delivery_id/redeliver",
    operation: "redeliver",
    tag,
    summary: "Send a delivery again",
    description:
      "With the same id and the same bytes, now, whether it has arrived, failed or waits; when it fails, " +
      "it is tried again as often as a new one. While its subscription is paused, it waits.",
    right,
    params: delivery,
    answers: { 202: { description: "The delivery, on its way again.", schema: Delivery } },
  }, (ctx, { params }) => redeliver(ctx, params.delivery_id)),
  endpoint({
    method: "get",
    path: "/v1/webhooks/:webhook_id",
    operation: "getWebhook",
    tag,
    summary: "Get a webhook subscription",
    params: webhook,
    answers: { 200: { description: "The subscription.", schema: Webhook } },
  }, async (ctx, { params }) => {
    const webhook = await readWebhook(ctx, params.webhook_id);
    return ok(presentWebhook(webhook, ctx.caller, ctx.deps.secretsKey));
  }),
  endpoint({
    method: "put",
    path: "/v1/webhooks/:webhook_id",
    operation: "updateWebhook",
    tag,
    summary: "Change, pause or resume a webhook subscription",
    description:
      "A subscription to which nothing got through for five days, with twenty failed attempts in them, is " +
      "paused by itself, and its user is told. Resumed, it is sent what was already on its way; what happened " +
      "while it was paused is sent when it is recovered.",
    right,
    params: webhook,
    body: WebhookChange,
    answers: { 200: { description: "The subscription.", schema: Webhook } },
  }, (ctx, { params, body }) => updateWebhook(ctx, params.webhook_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/webhooks/:webhook_id",
    operation: "deleteWebhook",
    tag,
    summary: "Unsubscribe",
    right,
    params: webhook,
    answers: { 204: { description: "Unsubscribed; nothing more is sent.", schema: null } },
  }, async (ctx, { params }) => await deleteWebhook(ctx, params.webhook_id)),
  endpoint({
    method: "get",
    path: "/v1/webhooks/:webhook_id/deliveries",
    operation: "listDeliveries",
    tag,
    summary: "List the deliveries of a subscription, newest first",
    params: webhook,
    query: DeliveryListQuery,
    answers: { 200: { description: "A page of deliveries.", schema: DeliveryPage } },
  }, async (ctx, { params, query, url }) => {
    const paging = pagingOf(query, deliverySorts, "-created_at");
    const { rows, total } = await listDeliveries(ctx, params.webhook_id, query.status, paging);
    const present = (row: Row) => presentDelivery(row as typeof rows[number]);
    return page({ url, origin: ctx.origin }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/webhooks/:webhook_id/recover",
    operation: "recover",
    tag,
    summary: "Send everything again that failed, or was missed while paused",
    description: "Of the events of a time, each once. What is still being tried goes on as it was.",
    right,
    params: webhook,
    body: RecoverBody,
    answers: { 202: { description: "They are on their way.", schema: Recovered } },
  }, (ctx, { params, body }) => recover(ctx, params.webhook_id, body)),
  endpoint({
    method: "post",
    path: "/v1/webhooks/:webhook_id/test",
    operation: "testWebhook",
    tag,
    summary: "Send the event webhook_test",
    description:
      "To this subscription alone, whatever it subscribes to; its body is the subscription, without its " +
      "token. While it is paused, the event waits.",
    right,
    params: webhook,
    answers: { 202: { description: "The delivery, on its way.", schema: Delivery } },
  }, (ctx, { params }) => testWebhook(ctx, params.webhook_id)),
  endpoint({
    method: "post",
    path: "/v1/webhooks/:webhook_id/restore",
    operation: "restoreWebhook",
    tag,
    summary: "Bring back a subscription whose target answered 410 Gone",
    description:
      "Within 30 days after that, as long as no other subscription has its URL and the company has room for one more. It gets the events from " +
      "then on; what waited when it was deleted can be recovered.",
    right,
    params: webhook,
    answers: { 200: { description: "The subscription.", schema: Webhook } },
  }, (ctx, { params }) => restoreWebhook(ctx, params.webhook_id)),
];

import { ok } from "../../core/answer.ts";
import { eventNames } from "../../core/events.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import type { Row } from "../../platform/database/database.ts";
import { redeliver, testWebhook } from "./redeliver.ts";
import { restoreWebhook } from "./restore.ts";
import { updateWebhook } from "./update.ts";
import { deliveryOrder, getDelivery, listAllDeliveries, listDeliveries } from "./deliveries.ts";
import { presentAnyDelivery, presentDelivery } from "./present_delivery.ts";
import { presentEvent, presentWebhook } from "./present.ts";
import { listWebhooks, readWebhook } from "./queries.ts";
import { recover } from "./recover.ts";
import { Webhook, WebhookBody, WebhookChange } from "./record.ts";
import {
  AnyDeliveryPage,
  Delivery,
  DeliveryListQuery,
  DeliveryPage,
  RecoverBody,
  Recovered,
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
  }, () => Promise.resolve(ok({ data: eventNames.map(presentEvent) }))),
  endpoint({
    method: "get",
    path: "/v1/webhooks",
    operation: "listWebhooks",
    tag,
    summary: "List webhook subscriptions",
    answers: {
      200: { description: "Lists the caller's own; for an admin, all of the company.", schema: WebhookList },
    },
  }, async (ctx) => {
    const webhooks = await listWebhooks(ctx);
    const shown = webhooks.map((webhook) => presentWebhook(webhook, ctx.caller, ctx.deps.secretsKey));
    return ok({ data: shown });
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
    path: "/v1/webhooks/deliveries",
    operation: "listAllDeliveries",
    tag,
    summary: "List the deliveries of all subscriptions that the caller lists, newest first",
    query: DeliveryListQuery,
    answers: { 200: { description: "A page of deliveries.", schema: AnyDeliveryPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, deliveryOrder);
    const { rows, total } = await listAllDeliveries(ctx, query.status, paging);
    const present = (row: Row) => presentAnyDelivery(row as typeof rows[number]);
    return page({ url, ctx }, paging, rows, total, present);
  }),
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
    summary: "Redeliver a delivery",
    description:
      "Sends the same id and the same bytes again now, whether the delivery has arrived, has failed or " +
      "waits. When it fails, it gets as many attempts as a new one. While its subscription is paused, it " +
      "waits.",
    right,
    params: delivery,
    answers: { 202: { description: "The delivery, which is due now.", schema: Delivery } },
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
    description: "A subscription without a success for five days and with twenty failed attempts is paused " +
      "automatically, and its user is notified. After a resume, waiting deliveries are sent; events of the " +
      "pause are sent by a recovery.",
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
    answers: { 204: { description: "Unsubscribed. Nothing more is sent.", schema: null } },
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
    const paging = parsePaging(query, deliveryOrder);
    const { rows, total } = await listDeliveries(ctx, params.webhook_id, query.status, paging);
    const present = (row: Row) => presentDelivery(row as typeof rows[number]);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/webhooks/:webhook_id/recover",
    operation: "recover",
    tag,
    summary: "Redeliver what failed or was missed during a pause",
    description: "Sends each event of the period once. Pending deliveries continue unchanged.",
    right,
    params: webhook,
    body: RecoverBody,
    answers: { 202: { description: "The deliveries are queued.", schema: Recovered } },
  }, (ctx, { params, body }) => recover(ctx, params.webhook_id, body)),
  endpoint({
    method: "post",
    path: "/v1/webhooks/:webhook_id/test",
    operation: "testWebhook",
    tag,
    summary: "Send the event webhook_test",
    description:
      "Sent to this subscription only, for any event that it subscribes to. The body is the subscription " +
      "without its token. While it is paused, the event waits.",
    right,
    params: webhook,
    answers: { 202: { description: "The delivery, which is due now.", schema: Delivery } },
  }, (ctx, { params }) => testWebhook(ctx, params.webhook_id)),
  endpoint({
    method: "post",
    path: "/v1/webhooks/:webhook_id/restore",
    operation: "restoreWebhook",
    tag,
    summary: "Restore a subscription that its target ended with 410 Gone",
    description:
      "Within 30 days after that, as long as no other subscription has its URL and the company has room for one more. It gets the events from " +
      "then on; what waited when it was deleted can be recovered.",
    right,
    params: webhook,
    answers: { 200: { description: "The subscription.", schema: Webhook } },
  }, (ctx, { params }) => restoreWebhook(ctx, params.webhook_id)),
];

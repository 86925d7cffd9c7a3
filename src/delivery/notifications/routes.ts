import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { registerDevice, removeDevice } from "./devices.ts";
import { getPreferences, updatePreferences } from "./preferences.ts";
import { presentNotification } from "./present.ts";
import { listNotifications, notificationList } from "./queries.ts";
import {
  DeviceBody,
  MessageBody,
  NotificationListQuery,
  NotificationPage,
  NotificationPreferences,
  PreferencesBody,
  Queued,
} from "./schema.ts";
import { readAllNotifications, readNotification, reopenNotification } from "./mark_read.ts";
import { sendMessage } from "./send_message.ts";

const tag = "Notifications";
const device = { device_token: "text" } as const;

export const notificationEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/notifications",
    operation: "listNotifications",
    tag,
    summary: "List the caller's notifications, newest first",
    query: NotificationListQuery,
    answers: { 200: { description: "A page of notifications.", schema: NotificationPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, notificationList);
    const { rows, total, unread } = await listNotifications(ctx, query.show === "unread", paging);
    const present = (row: typeof rows[number]) => presentNotification(row, ctx.origin);
    return page({ url, ctx }, paging, rows, total, present, {}, { unread });
  }),
  endpoint({
    method: "post",
    path: "/v1/notifications",
    operation: "sendNotification",
    tag,
    summary: "Send a message to users and teams",
    right: "notifications.send",
    body: MessageBody,
    answers: { 202: { description: "The message is queued.", schema: Queued } },
  }, (ctx, { body }) => sendMessage(ctx, body)),
  endpoint({
    method: "put",
    path: "/v1/notifications/read",
    operation: "readAllNotifications",
    tag,
    summary: "Mark all notifications as read",
    answers: { 204: { description: "All are marked as read.", schema: null } },
  }, (ctx) => readAllNotifications(ctx)),
  endpoint({
    method: "get",
    path: "/v1/notifications/preferences",
    operation: "getNotificationPreferences",
    tag,
    summary: "Get the caller's notification preferences",
    answers: {
      200: { description: "Every type of notification with its channels.", schema: NotificationPreferences },
    },
  }, (ctx) => getPreferences(ctx)),
  endpoint({
    method: "put",
    path: "/v1/notifications/preferences",
    operation: "updateNotificationPreferences",
    tag,
    summary: "Change the caller's notification preferences",
    body: PreferencesBody,
    answers: {
      200: { description: "Every type of notification with its channels.", schema: NotificationPreferences },
    },
  }, (ctx, { body }) => updatePreferences(ctx, body)),
  endpoint({
    method: "put",
    path: "/v1/notifications/:notification_id/read",
    operation: "readNotification",
    tag,
    summary: "Mark a notification as read",
    params: { notification_id: "uuid" },
    answers: { 204: { description: "It is read.", schema: null } },
  }, (ctx, { params }) => readNotification(ctx, params.notification_id)),
  endpoint({
    method: "put",
    path: "/v1/notifications/:notification_id/unread",
    operation: "reopenNotification",
    tag,
    summary: "Mark a notification as unread",
    params: { notification_id: "uuid" },
    answers: { 204: { description: "It is unread.", schema: null } },
  }, (ctx, { params }) => reopenNotification(ctx, params.notification_id)),
  endpoint({
    method: "post",
    path: "/v1/notifications/devices/:device_token",
    operation: "registerDevice",
    tag,
    summary: "Register a device for push messages",
    description:
      "The token of its push service identifies it. A device belongs to the user who registered it last.",
    params: device,
    body: DeviceBody,
    answers: { 204: { description: "The device is registered.", schema: null } },
  }, (ctx, { params, body }) => registerDevice(ctx, params.device_token, body)),
  endpoint({
    method: "delete",
    path: "/v1/notifications/devices/:device_token",
    operation: "removeDevice",
    tag,
    summary: "Remove a device of the caller",
    params: device,
    answers: { 204: { description: "It receives no more messages.", schema: null } },
  }, (ctx, { params }) => removeDevice(ctx, params.device_token)),
];

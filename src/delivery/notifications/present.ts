/** Notification row → wire shape and text. */
import {
  composeMessage,
  type Message,
  type NotificationData,
  type NotificationType,
  notified,
} from "../../core/notifications.ts";
import { noticeData } from "./notice_data.ts";
import { sql } from "../../db/statements.ts";
import { composePictureUrl } from "../../identity/pictures/address.ts";
import type { Row } from "../../platform/database/database.ts";

/**
 * Select list and join for `readNotificationRow` over the alias `notice`. The name of the sender is the current
 * one.
 */
export const noticeColumns =
  sql`notice.id, notice.type, ${noticeData} as data, notice.message, notice.created_at, sender.id as sender_id,
  sender.first_name, sender.last_name, sender.profile_picture`;
export const noticeJoins = sql`left join users sender on sender.id = notice.sender_id`;

export interface NotificationFacts {
  readonly id: string;
  readonly type: NotificationType;
  readonly data: NotificationData;
  readonly message: Message;
  readonly created_at: string;
}

/** `origin`: origin of links to pictures. */
export function readNotificationRow(row: Row, origin: string): NotificationFacts {
  const type = row.type as NotificationType;
  const user = row.sender_id === null ? null : {
    id: row.sender_id as number,
    first_name: row.first_name as string,
    last_name: row.last_name as string,
    profile_picture: composePictureUrl(origin, row.profile_picture as string | null),
  };
  const data: NotificationData = {
    ...((notified[type] as readonly string[]).includes("user") ? { user } : {}),
    ...JSON.parse(row.data as string),
  };
  return {
    id: row.id as string,
    type,
    data,
    message: composeMessage(type, data, row.message as string | null),
    created_at: row.created_at as string,
  };
}

export function presentNotification(row: Row, origin: string) {
  const { id, type, data, message, created_at } = readNotificationRow(row, origin);
  const read_at = row.read_at as string | null;
  return {
    id,
    type,
    data: JSON.parse(JSON.stringify(data)),
    message: message.plain,
    message_formatted: message.formatted,
    read: read_at !== null,
    read_at,
    created_at,
  };
}

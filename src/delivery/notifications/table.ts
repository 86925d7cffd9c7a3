import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, serialId } from "../../db/columns.ts";
import { users } from "../../identity/users/record.ts";
import { cascadeAtOnce, declareReferences, leaveTo } from "../../db/references.ts";

/** One row per user and notification. */
export const notifications = sqliteTable("notifications", {
  /** Increases in the order of creation. */
  seq: serialId(),
  id: text().notNull().unique(),
  company_id: integer().notNull(),
  user_id: integer().notNull().references(() => users.id),
  type: text().notNull(),
  /** The user who caused it; null for timers. */
  sender_id: integer(),
  /**
   * JSON: the facts of other records that the notification shows, as of its creation; of contacts and e-mails
   * the id alone.
   */
  data: text().notNull(),
  /** The text of a notification of type `custom`. */
  message: text(),
  /** When it was read by itself. `notification_reads` has the times when the user read all. */
  read_at: text(),
  /** 1: the user has marked it as unread, although it counts among all that was read. */
  reopened: integer().notNull().default(0),
  /** Ways in which it is still to be sent: 1 mail, 2 push, 3 both, 0 none. */
  unsent: integer().notNull(),
  /** For a notification that is sent but not listed: when the row may be removed, epoch milliseconds. */
  expires_at: integer(),
  created_at: text().notNull(),
}, (table) => [
  // A user's list, newest first.
  index("notifications_by_user").on(table.user_id, table.seq),
  index("notifications_unread").on(table.user_id, table.seq).where(
    sql`${table.read_at} is null and ${table.expires_at} is null`,
  ),
  index("notifications_reopened").on(table.user_id, table.seq).where(sql`${table.reopened} = 1`),
  index("notifications_unsent").on(table.seq).where(sql`${table.unsent} > 0`),
  index("notifications_expiring").on(table.expires_at).where(sql`${table.expires_at} is not null`),
]);

/** Number of listed notifications of a user, kept by triggers. */
export const notificationCounts = sqliteTable(
  "notification_counts",
  {
    user_id: integer().primaryKey().references(() => users.id),
    total: integer().notNull(),
    unread: integer().notNull(),
    /** Set when the user is deleted; a job then removes the notifications. */
    user_deleted: flag(),
  },
  (
    table,
  ) => [index("notification_counts_of_deleted").on(table.user_id).where(sql`${table.user_deleted} = 1`)],
);

/** Times when a user read all notifications up to `through`. Stored here instead of in each notification. */
export const notificationReads = sqliteTable("notification_reads", {
  user_id: integer().notNull().references(() => users.id),
  /** The `seq` of the newest notification that was read. */
  through: integer().notNull(),
  at: text().notNull(),
}, (table) => [primaryKey({ columns: [table.user_id, table.through] })]);

/** How a user receives notifications of a type; without a row, in every way. */
export const notificationPreferences = sqliteTable("notification_preferences", {
  user_id: integer().notNull().references(() => users.id),
  type: text().notNull(),
  app: integer().notNull(),
  mail: integer().notNull(),
  push: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.user_id, table.type] })]);

/** Devices for push messages, by the token of the push service. */
export const devices = sqliteTable("devices", {
  id: serialId(),
  token: text().notNull().unique(),
  user_id: integer().notNull().references(() => users.id),
  /** `iOS` or `Android`. */
  type: text().notNull(),
  created_at: text().notNull(),
}, (table) => [index("devices_by_user").on(table.user_id)]);

/** Push messages to send. Sent and undeliverable ones have no row. */
export const pushes = sqliteTable("pushes", {
  id: serialId(),
  notification_seq: integer().notNull().references(() => notifications.seq),
  device_id: integer().notNull().references(() => devices.id),
  attempts: integer().notNull().default(0),
  /** Claims since the last result of an attempt, see `later/row_lease.ts`. */
  claims: integer().notNull().default(0),
  /** When it is due, epoch milliseconds; during an attempt, the end of the claim. */
  due_at: integer().notNull(),
}, (table) => [
  index("pushes_due").on(table.due_at, table.id),
  index("pushes_by_notification").on(table.notification_seq),
  index("pushes_by_device").on(table.device_id),
]);

/** What its columns name, and what happens when that is deleted. */
export const notificationReferences = declareReferences(notifications, {
  user_id: { user: leaveTo("delivery/notifications/expire.ts#removeOldNotifications", "cascade") },
  sender_id: { user: "keep" },
  data: "records as they were at that moment",
});
export const notificationCountReferences = declareReferences(notificationCounts, {
  user_id: { user: leaveTo("delivery/notifications/expire.ts#removeOldNotifications", "cascade") },
});
export const notificationReadReferences = declareReferences(notificationReads, {
  user_id: { user: leaveTo("delivery/notifications/expire.ts#removeOldNotifications", "cascade") },
});
export const preferenceReferences = declareReferences(notificationPreferences, {
  user_id: { user: cascadeAtOnce },
});
export const deviceReferences = declareReferences(devices, { user_id: { user: cascadeAtOnce } }, {
  kind: "device",
  key: "id",
});
export const pushReferences = declareReferences(pushes, {
  notification_seq: "a notification, which goes with it",
  device_id: { device: cascadeAtOnce },
});

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, serialId } from "../../db/columns.ts";
import { users } from "../../identity/users/table.ts";

/** One row for each user whom a notification reached. */
export const notifications = sqliteTable("notifications", {
  /** In the order in which they were made. */
  seq: serialId(),
  id: text().notNull().unique(),
  company_id: integer().notNull(),
  user_id: integer().notNull().references(() => users.id),
  type: text().notNull(),
  /** Who caused it; null: nobody did. */
  sender_id: integer(),
  /** JSON: what it shows of the other records, as they were when it was made. */
  data: text().notNull(),
  /** The words of a custom one. */
  message: text(),
  /** When it was read by itself; what was read with all others stands in `notification_reads`. */
  read_at: text(),
  /** How it is still to be sent: 1 by mail, 2 by push, 3 both, 0 no more. */
  unsent: integer().notNull(),
  /** Set where the user wants it sent but not listed: when the row may go, epoch milliseconds. */
  expires_at: integer(),
  created_at: text().notNull(),
}, (table) => [
  // A user's list, newest first.
  index("notifications_by_user").on(table.user_id, table.seq),
  index("notifications_unread").on(table.user_id, table.seq).where(
    sql`${table.read_at} is null and ${table.expires_at} is null`,
  ),
  index("notifications_unsent").on(table.seq).where(sql`${table.unsent} > 0`),
  index("notifications_expiring").on(table.expires_at).where(sql`${table.expires_at} is not null`),
]);

/** How many listed notifications a user has; kept by triggers. */
export const notificationCounts = sqliteTable(
  "notification_counts",
  {
    user_id: integer().primaryKey().references(() => users.id),
    total: integer().notNull(),
    unread: integer().notNull(),
    /** Set when the user is deleted: the notifications then go, in steps. */
    user_deleted: flag(),
  },
  (
    table,
  ) => [index("notification_counts_of_deleted").on(table.user_id).where(sql`${table.user_deleted} = 1`)],
);

/** When a user read all that there was: everything up to `through`, without touching each. */
export const notificationReads = sqliteTable("notification_reads", {
  user_id: integer().notNull().references(() => users.id),
  /** The `seq` of the last of them. */
  through: integer().notNull(),
  at: text().notNull(),
}, (table) => [primaryKey({ columns: [table.user_id, table.through] })]);

/** How a user wants notifications of a type; without a row, in every way. */
export const notificationPreferences = sqliteTable("notification_preferences", {
  user_id: integer().notNull().references(() => users.id),
  type: text().notNull(),
  app: integer().notNull(),
  mail: integer().notNull(),
  push: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.user_id, table.type] })]);

/** Devices that take push messages, by the token that the push service knows them by. */
export const devices = sqliteTable("devices", {
  id: serialId(),
  token: text().notNull().unique(),
  user_id: integer().notNull().references(() => users.id),
  /** `iOS` or `Android`. */
  type: text().notNull(),
  created_at: text().notNull(),
}, (table) => [index("devices_by_user").on(table.user_id)]);

/** Push messages on their way. What was sent, or cannot be, has no row any more. */
export const pushes = sqliteTable("pushes", {
  id: serialId(),
  notification_seq: integer().notNull().references(() => notifications.seq),
  device_id: integer().notNull().references(() => devices.id),
  attempts: integer().notNull().default(0),
  /** When it is to be sent, epoch milliseconds; while it is being sent, when that counts as broken off. */
  due_at: integer().notNull(),
}, (table) => [
  index("pushes_due").on(table.due_at, table.id),
  index("pushes_by_notification").on(table.notification_seq),
  index("pushes_by_device").on(table.device_id),
]);

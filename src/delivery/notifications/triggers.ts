/** Triggers that count the notifications of each user, and the unread ones. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";

/** True when the user has marked everything up to the notification as read, and did not reopen it. */
const readTogether = (row: string) =>
  `(${row}.reopened = 0 and exists\n    ` +
  `(select 1 from notification_reads r where r.user_id = ${row}.user_id and r.through >= ${row}.seq))`;

export const notificationTriggers: readonly SchemaObject[] = [
  trigger(
    "notification_counts_insert",
    "after insert on notifications when new.expires_at is null",
    "insert into notification_counts (user_id, total, unread) values (new.user_id, 1, new.read_at is null)\n" +
      "    on conflict (user_id) do update set total = total + 1, unread = unread + excluded.unread",
  ),
  trigger(
    "notification_counts_read",
    "after update of read_at on notifications when old.read_at is null and new.read_at is not null\n" +
      `    and new.expires_at is null and not ${readTogether("old")}`,
    "update notification_counts set unread = unread - 1 where user_id = new.user_id",
  ),
  trigger(
    "notification_counts_reopened",
    "after update of reopened on notifications when old.reopened = 0 and new.reopened = 1\n" +
      `    and new.expires_at is null and (old.read_at is not null or ${readTogether("old")})`,
    "update notification_counts set unread = unread + 1 where user_id = new.user_id",
  ),
  trigger(
    "notification_counts_read_all",
    "after insert on notification_reads",
    "update notification_counts set unread = (select count(*) from notifications n where n.user_id = new.user_id\n" +
      "    and n.read_at is null and n.expires_at is null and (n.seq > new.through or n.reopened = 1)) where user_id = new.user_id",
  ),
  trigger(
    "notification_counts_delete",
    "after delete on notifications when old.expires_at is null",
    "update notification_counts set total = total - 1,\n" +
      `    unread = unread - (old.read_at is null and not ${readTogether("old")})` +
      " where user_id = old.user_id",
  ),
];

/** Notifications of deleted users: a job deletes them. */
import { sql } from "../../db/statements.ts";
import { changeAtOnce } from "../../identity/users/deletion.ts";

export const notificationDeletion = changeAtOnce(({ user_id }) => [
  sql`update notification_counts set user_deleted = 1 where user_id = ${user_id}`,
]);

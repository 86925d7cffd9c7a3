/** Notifications of deleted users. Devices and preferences go with the user, and a job removes the notifications. */
import { sql } from "../../db/statements.ts";
import { reassignAtOnce } from "../../identity/users/deletion.ts";

export const notificationDeletion = reassignAtOnce(({ user_id }) => [
  sql`delete from pushes where device_id in (select id from devices where user_id = ${user_id})`,
  sql`update notification_counts set user_deleted = 1 where user_id = ${user_id}`,
]);

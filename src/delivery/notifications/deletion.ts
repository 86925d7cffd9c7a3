/** What a deleted user had for notifications goes: devices at once, the notifications themselves by the job. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

export const notificationDeletion: UserReassignment = {
  reads: () => [],
  apply: (_author, { user_id }) => ({
    statements: [
      sql`delete from pushes where device_id in (select id from devices where user_id = ${user_id})`,
      sql`delete from devices where user_id = ${user_id}`,
      sql`delete from notification_preferences where user_id = ${user_id}`,
      sql`update notification_counts set user_deleted = 1 where user_id = ${user_id}`,
    ],
    events: [],
    more: false,
  }),
};

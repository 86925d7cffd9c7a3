/** Deletes devices and preferences with their user; a job removes the notifications. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

export const notificationDeletion: UserReassignment = {
  step: ({ user_id }) => ({
    reads: [],
    apply: () => ({
      statements: [
        sql`delete from pushes where device_id in (select id from devices where user_id = ${user_id})`,
        sql`delete from devices where user_id = ${user_id}`,
        sql`delete from notification_preferences where user_id = ${user_id}`,
        sql`update notification_counts set user_deleted = 1 where user_id = ${user_id}`,
      ],
      events: [],
      more: false,
    }),
  }),
};

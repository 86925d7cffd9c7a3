/** Scheduled reports of deleted users. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

/** Ends the user's own reports, and removes the user from the recipients of all reports. */
export const scheduledReportDeletion: UserReassignment = {
  step: ({ company_id, user_id }) => ({
    reads: [],
    apply: ({ at }) => ({
      statements: [
        sql`update scheduled_reports set next_date = null, next_at = null, wanted_at = null, attempt_at = null,
          updated_at = ${at}, version = version + 1 where company_id = ${company_id} and user_id = ${user_id}`,
        sql`delete from scheduled_report_recipients where user_id = ${user_id}`,
      ],
      events: [],
      more: false,
    }),
  }),
};

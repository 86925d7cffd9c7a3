/** Exports of deleted users. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

/** Deletes the exports that are not written yet. Written files are handled with the user's other files. */
export const exportDeletion: UserReassignment = {
  step: ({ company_id, user_id }) => ({
    reads: [],
    apply: () => ({
      statements: [
        sql`delete from exports where company_id = ${company_id} and user_id = ${user_id} and due_at is not null`,
      ],
      events: [],
      more: false,
    }),
  }),
};

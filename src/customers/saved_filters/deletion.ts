/** Private views of deleted users. Shared ones stay. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

/** A deleted user's private views go to the successor; without one they are deleted. */
export const privateViews: UserReassignment = {
  step({ company_id, user_id }) {
    const own = sql`company_id = ${company_id} and private_to = ${user_id}`;
    return {
      reads: [],
      apply: ({ at }, successor) => ({
        statements: [
          successor === null
            ? sql`delete from saved_filters where ${own}`
            : sql`update saved_filters set created_by = ${successor.id}, updated_at = ${at},
              version = version + 1 where ${own}`,
        ],
        events: [],
        more: false,
      }),
    };
  },
};

/** Indicator sets of deleted users. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";
import { isUsed, type SetUse } from "./uses.ts";

/**
 * A deleted user's private sets go to the successor; without one they are deleted, except those that a colleague's
 * report uses. Shared sets stay.
 */
export const indicatorSetReassignment = (uses: readonly SetUse[]): UserReassignment => ({
  step({ company_id, user_id }) {
    const own = sql`company_id = ${company_id} and private_to = ${user_id}`;
    return {
      reads: [],
      apply: ({ at }, successor) => ({
        statements: [
          successor === null
            ? sql`delete from indicator_sets where ${own} and not ${isUsed(uses, sql`indicator_sets.id`)}`
            : sql`update indicator_sets set user_id = ${successor.id}, updated_at = ${at}, version = version + 1
              where ${own}`,
        ],
        events: [],
        more: false,
      }),
    };
  },
});

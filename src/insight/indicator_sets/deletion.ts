/** Indicator sets of deleted users. */
import { type Blocker, isBlocked } from "../../db/blockers.ts";
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

/**
 * A deleted user's private sets go to the successor; without one they are deleted, except those that a colleague's
 * report uses. Shared sets stay.
 */
export const indicatorSetReassignment = (blockers: readonly Blocker[]): UserReassignment => ({
  step({ company_id, user_id }) {
    const own = sql`company_id = ${company_id} and private_to = ${user_id}`;
    return {
      reads: [],
      apply: ({ at }, successor) => ({
        statements: [
          successor === null
            ? sql`delete from indicator_sets where ${own} and not ${
              isBlocked(blockers, sql`indicator_sets.id`, company_id)
            }`
            : sql`update indicator_sets set user_id = ${successor.id}, updated_at = ${at}, version = version + 1
              where ${own}`,
        ],
        events: [],
        more: false,
      }),
    };
  },
});

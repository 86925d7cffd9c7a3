/** What the console keeps for a user goes with the user. */
import { sql } from "../../db/statements.ts";
import type { UserReassignment } from "../../identity/users/deletion.ts";

export const preferencesOfUsers: UserReassignment = {
  step: ({ user_id }) => ({
    reads: [],
    apply: () => ({
      statements: [sql`delete from preferences where user_id = ${user_id}`],
      events: [],
      more: false,
    }),
  }),
};

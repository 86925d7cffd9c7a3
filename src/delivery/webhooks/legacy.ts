/** Subscriptions of a deleted user: the heir's from now on, or deleted. What waits for those is ended by the job. */
import { statement } from "../../db/statements.ts";
import type { Legacy } from "../../identity/users/legacy.ts";

export const webhookLegacy: Legacy = {
  reads: () => [],
  pass(author, { company_id, user_id, heir_id }) {
    // Those whose target was gone can still be brought back, by the heir alone.
    const set = heir_id === null
      ? "deleted_at = coalesce(deleted_at, ?), gone = 0"
      : "user_id = ?, owned_since = ?";
    return {
      statements: [statement(
        `update webhooks set ${set}, updated_at = ?, version = version + 1 ` +
          "where company_id = ? and user_id = ? and (deleted_at is null or gone = 1)",
        ...(heir_id === null ? [author.at] : [heir_id, author.at]),
        author.at,
        company_id,
        user_id,
      )],
      events: [],
      more: false,
    };
  },
};

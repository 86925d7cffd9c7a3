/** Subscriptions of a deleted user: the heir's from now on, or deleted. What waits for those is ended by the job. */
import { statement } from "../../db/statements.ts";
import type { Legacy } from "../../identity/users/legacy.ts";

export const webhookLegacy: Legacy = {
  reads: () => [],
  pass(author, { company_id, user_id, heir_id }) {
    const set = heir_id === null ? "deleted_at = ?" : "user_id = ?";
    return {
      statements: [statement(
        `update webhooks set ${set}, updated_at = ?, version = version + 1 ` +
          "where company_id = ? and user_id = ? and deleted_at is null",
        heir_id ?? author.at,
        author.at,
        company_id,
        user_id,
      )],
      events: [],
      more: false,
    };
  },
};

/**
 * Subscriptions of a deleted user: the heir's from now on, paused, since that user chose their targets; or deleted.
 * What waits for those is ended by the job.
 */
import { sql, statement } from "../../db/statements.ts";
import { counted, handedOver, nameOf, type UserReassignment } from "../../identity/users/deletion.ts";

export const webhookReassignment: UserReassignment = {
  reads: ({ company_id, user_id }) => [
    statement(
      `select count(*) as n, ${nameOf} as name from webhooks where company_id = ? and user_id = ? and deleted_at is null`,
      user_id,
      company_id,
      user_id,
    ),
  ],
  apply(author, { company_id, user_id }, heir, [found]) {
    // Those whose target was gone can still be brought back, by the heir alone.
    const set = heir === null
      ? "deleted_at = coalesce(deleted_at, ?), target_gone = 0"
      : "user_id = ?, owned_since = ?, " +
        "paused_at = coalesce(paused_at, ?), failing_since = null, failures = 0";
    const { n, name } = found!.rows[0]!;
    return {
      statements: [
        // What is being recovered was made for the former user.
        sql`delete from recoveries where webhook_id in (select id from webhooks where company_id = ${company_id} and user_id = ${user_id})`,
        statement(
          `update webhooks set ${set}, updated_at = ?, version = version + 1 ` +
            "where company_id = ? and user_id = ? and (deleted_at is null or target_gone = 1)",
          ...(heir === null ? [author.at] : [heir.id, author.at, author.at]),
          author.at,
          company_id,
          user_id,
        ),
      ],
      events: [],
      notices: heir === null ? [] : handedOver(
        author,
        heir,
        Number(n),
        `You now own ${
          counted(Number(n), "webhook")
        } of ${name}. Each is paused: check target and token, then resume it ` +
          "and recover what it missed.",
      ),
      more: false,
    };
  },
};

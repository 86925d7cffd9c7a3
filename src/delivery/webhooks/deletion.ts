/**
 * Hands the subscriptions of a deleted user to the successor, paused, because the deleted user chose their
 * targets. Without a successor, deletes them. A job then ends the waiting deliveries of deleted
 * subscriptions.
 */
import { sql } from "../../db/statements.ts";
import {
  draftHandover,
  formatCount,
  selectUserName,
  type UserReassignment,
} from "../../identity/users/deletion.ts";

export const webhookReassignment: UserReassignment = {
  step({ company_id, user_id }) {
    const own = sql`company_id = ${company_id} and user_id = ${user_id}`;
    return {
      reads: [
        sql`select count(*) as n, ${selectUserName(user_id)} as name from webhooks where ${own}
          and deleted_at is null`,
      ],
      apply(author, successor, [found]) {
        // Without a successor, a subscription that its target ended can no longer be restored.
        const set = successor === null
          ? sql`deleted_at = coalesce(deleted_at, ${author.at}), target_gone = 0`
          : sql`user_id = ${successor.id}, owned_since = ${author.at},
            paused_at = coalesce(paused_at, ${author.at}), failing_since = null, failures = 0`;
        const { n, name } = found!.rows[0]!;
        const owned = formatCount(Number(n), "webhook");
        return {
          statements: [
            // Recoveries contain deliveries for the former user.
            sql`delete from recoveries where webhook_id in (select id from webhooks where ${own})`,
            sql`update webhooks set ${set}, updated_at = ${author.at}, version = version + 1
              where ${own} and (deleted_at is null or target_gone = 1)`,
          ],
          events: [],
          notifications: successor === null ? [] : draftHandover(
            author,
            successor,
            Number(n),
            `You now own ${owned} of ${name}. Each is paused: check target and token, then resume it ` +
              "and recover what it missed.",
          ),
          more: false,
        };
      },
    };
  },
};

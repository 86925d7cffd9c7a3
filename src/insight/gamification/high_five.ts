/** Congratulates a colleague. */
import { noContent } from "../../core/answer.ts";
import { forbidden } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { requireEvent, selectEventById } from "./queries.ts";

/**
 * Gives the caller's high five to an event. A repeated call changes nothing. Throws 403 for an event of the
 * caller.
 */
export async function giveHighFive(ctx: Context, id: number) {
  const { caller, deps, at } = ctx;
  const [found] = await deps.db.read([selectEventById(caller, id)]);
  if (requireEvent(found!).user_id === caller.userId) {
    throw forbidden("You cannot give a high five to your own event.");
  }
  return await commit(ctx, {
    statements: [
      sql`insert into high_fives (event_id, user_id, created_at)
        select e.id, ${caller.userId}, ${at} from stream_events e
        where e.id = ${id} and e.company_id = ${caller.companyId} on conflict do nothing`,
    ],
    answer: noContent,
  });
}

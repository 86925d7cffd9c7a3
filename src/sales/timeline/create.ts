/** Adds an event of another system to the timeline of a case. */
import { created } from "../../core/answer.ts";
import { sanitizeText } from "../../core/html.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import { checkCaseAccess, guardCaseTeam, selectCaseAccess } from "../cases/queries.ts";
import type { TimelineEventBody } from "./schema.ts";
import { addTimelineEvent } from "./write.ts";

/** Returns 201 with the event. The case itself does not change, in any status. */
export async function createTimelineEvent(
  ctx: Context,
  caseId: string,
  body: TimelineEventBody,
) {
  const { companyId, userId } = ctx.caller;
  const [access, author] = await ctx.deps.db.read([
    selectCaseAccess(companyId, caseId),
    sql`select ${selectNameOfUser(sql`${userId}`)} as name`,
  ]);
  const { team_id } = checkCaseAccess(ctx, access!);
  const { statement, event } = addTimelineEvent(ctx, team_id, {
    company_id: companyId,
    case_id: caseId,
    user_id: userId,
    type: body.type ?? null,
    title: body.title,
    content: body.content ? await sanitizeText(body.content) : null,
    occurred_at: body.occurred_at ?? undefined,
    user_name: author!.rows[0]!.name as string,
  });
  return await commit(ctx, {
    statements: [guardCaseTeam(caseId, team_id), statement],
    events: [event],
    answer: created(event.body),
  });
}

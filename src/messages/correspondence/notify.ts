/** Asks colleagues to look at a correspondence. */
import { accepted } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkCaseAccess, guardCaseTeam, selectCaseAccess } from "../../sales/cases/queries.ts";
import { checkMentions, guardMentions, selectMentioned } from "../../sales/notes/mentions.ts";
import { selectCorrespondenceById } from "./queries.ts";
import type { NotifyBody } from "./schema.ts";

/** Returns 202. Notifies users and teams who see the case, once each; not the caller. */
export async function notifyOfCorrespondence(
  ctx: Context,
  caseId: string,
  id: string,
  { notify }: NotifyBody,
) {
  const { companyId, userId } = ctx.caller;
  const team = sql`(select team_id from cases where id = ${caseId})`;
  const [access, found, ...mentioned] = await ctx.deps.db.read([
    selectCaseAccess(companyId, caseId),
    selectCorrespondenceById(caseId, id),
    ...selectMentioned(ctx, notify, team),
  ]);
  const { team_id } = checkCaseAccess(ctx, access!);
  if (!found!.rows[0]) throw notFound();
  const errors: FieldError[] = [];
  const to = [
    ...(notify.users?.length ? [{ users: notify.users }] : []),
    ...(notify.teams?.length ? [{ teams: notify.teams }] : []),
  ];
  if (to.length === 0) errors.push(fieldError("notify", "required", "Name users or teams."));
  checkMentions(notify, mentioned, errors);
  if (errors.length > 0) throw invalid(...errors);
  return await commit(ctx, {
    statements: [guardCaseTeam(caseId, team_id), ...guardMentions(ctx, notify, team)],
    notifications: [{
      type: "inbox",
      to,
      data: { user: { id: userId }, case: { id: caseId }, correspondence: { id } },
    }],
    answer: accepted({ queued: true as const }),
  });
}

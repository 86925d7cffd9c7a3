import { ok } from "../../core/answer.ts";
import { invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentUser } from "./present.ts";
import { readUserAt } from "./queries.ts";
import { users } from "./record.ts";
import { draftUserEvent, guardShown } from "./write.ts";

/** Returns 200 with the caller after a switch to another active team, which new records go to; null: none. */
export async function switchTeam(ctx: Context, teamId: number | null) {
  const { companyId, userId } = ctx.caller;
  const user = await readUserAt(ctx, { company_id: companyId, user_id: userId });
  checkMatch(ctx, () => presentUser(user, ctx));
  if (teamId !== null && !user.teams.some(({ id }) => id === teamId)) {
    throw invalid(missingReference("team_id", "team"));
  }
  const changes = { active_team_id: teamId, updated_at: ctx.at };
  const presented = presentUser({ ...user, ...changes }, ctx);
  return await commit(ctx, {
    statements: [
      ...guardShown(user),
      updateVersioned(users, changes, { ...user, id: userId }),
      guardChanged("stale"),
    ],
    events: [draftUserEvent("user_updated", user, presented)],
    answer: ok(presented),
  });
}

/** Creates a rank. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { created } from "../../core/answer.ts";
import { invalid, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { checkOwner, guardOwner, type Owner, selectOwnerFacts } from "../../identity/owners.ts";
import { makeInitial } from "../../records/members.ts";
import { presentFullRank } from "./present.ts";
import { checkSettings, guardSettings, selectSettings } from "./references.ts";
import { type RankBody, rankMembers, ranks } from "./record.ts";

/** Returns 201 with the rank. */
export async function createRank(ctx: Context, body: RankBody) {
  const { companyId } = ctx.caller;
  const owner = chooseOwner(ctx.caller, body);
  const [found, named] = await ctx.deps.db.read([
    selectOwnerFacts(companyId, owner),
    selectSettings(companyId, body),
  ]);
  const facts = found!.rows[0]!;
  checkOwner(ctx.caller, owner, facts);
  const path = checkSettings(ctx.caller, body, named!);
  const row = {
    ...makeInitial(rankMembers, body),
    id: makeId(ctx.now),
    company_id: companyId,
    ...owner,
    created_by: ctx.caller.userId,
    relations_path_id: path ? body.settings!.relations_path_id! : null,
    milestone_id: path ? body.settings!.milestone_id! : null,
    award_at: null,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      guardNumber("ranks", companyId),
      guardOwner(companyId, owner, facts),
      ...(row.milestone_id === null ? [] : [guardSettings(row.milestone_id)]),
      insert(ranks, row),
    ],
    answer: created(presentFullRank(ctx.caller, { ...row, path: path && JSON.stringify(path) })),
  });
}

/**
 * Returns the owner: the team of the body, otherwise the active team, or the company for an admin. Throws 422
 * if a team admin names another team than the active one.
 */
function chooseOwner(caller: Caller, { team_id }: RankBody): Owner {
  const { activeTeamId, userType } = caller;
  if (userType === "team_admin" && team_id && team_id !== activeTeamId) {
    throw invalid(missingReference("team_id", "team"));
  }
  const otherwise = isAdmin(caller) ? null : activeTeamId;
  return { team_id: team_id === undefined ? otherwise : team_id, group_id: null };
}

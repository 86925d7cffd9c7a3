import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../permissions.ts";
import { readTeams, selectTeamsByIds } from "../teams/queries.ts";
import { moveTeam } from "../teams/write.ts";
import { presentGroup } from "./present.ts";
import { readGroup, selectGroupById } from "./queries.ts";
import { touchGroups } from "../teams/group.ts";

/** Moves a team into the group, and out of its current one. */
export async function attachTeam(ctx: Context, at: { group_id: number; team_id: number }) {
  const { group, team } = await groupAndTeam(ctx, at);
  if (team.group_id === group.id) return noContent;
  return await moveTeam(ctx, team, group, touchGroups(team.group ? [group, team.group] : [group]));
}

/** Takes a team out of the group; throws 404 when it is not in the group. */
export async function detachTeam(ctx: Context, at: { group_id: number; team_id: number }) {
  const { group, team } = await groupAndTeam(ctx, at);
  if (team.group_id !== group.id) throw notFound("The team is not in the group.");
  return await moveTeam(ctx, team, null, touchGroups([group]));
}

async function groupAndTeam(ctx: Context, at: { group_id: number; team_id: number }) {
  requireReach(ctx.caller, "groups.write");
  const { companyId } = ctx.caller;
  const [groupFound, teamFound] = await ctx.deps.db.read([
    selectGroupById(companyId, at.group_id),
    selectTeamsByIds(companyId, [at.team_id]),
  ]);
  const row = groupFound!.rows[0];
  const [team] = readTeams(teamFound!);
  if (!row || !team) throw notFound();
  const group = readGroup(row);
  checkMatch(ctx, () => presentGroup(group, ctx.now));
  return { group, team };
}

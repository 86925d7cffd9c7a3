/** Making groups, and moving teams in and out of them: what a group shares moves at once. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { readTeams, teamsByIds } from "../teams/queries.ts";
import { moveTeam } from "../teams/verbs.ts";
import { presentGroup } from "./present.ts";
import { groupById, type GroupWithTeams, readGroup } from "./queries.ts";
import type { GroupFacts } from "./summary.ts";
import { groups } from "./table.ts";

export async function getGroup(ctx: Context, id: number): Promise<Answer> {
  const [found] = await ctx.deps.db.read([groupById(ctx.caller.companyId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return ok(presentGroup(readGroup(row), ctx.now));
}

export async function createGroup(ctx: Context, body: { name: string }): Promise<Answer> {
  requireReach(ctx.caller, "groups.write");
  const row = {
    company_id: ctx.caller.companyId,
    name: body.name,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  const group: GroupWithTeams = { ...row, id: null, teams: [] };
  return await commit(ctx, {
    statements: [insert(groups, row)],
    answer: created(presentGroup(group, ctx.now)),
    idFrom: groups,
  });
}

/** Puts a team into the group, out of the one that it is in. */
export async function attachTeam(ctx: Context, at: { group_id: number; team_id: number }): Promise<Answer> {
  const { group, team } = await groupAndTeam(ctx, at);
  if (team.group_id === group.id) return noContent;
  return await moveTeam(ctx, team, group, touched(team.group ? [group, team.group] : [group]));
}

/** Takes a team out of the group; 404 when it is not in it. */
export async function detachTeam(ctx: Context, at: { group_id: number; team_id: number }): Promise<Answer> {
  const { group, team } = await groupAndTeam(ctx, at);
  if (team.group_id !== group.id) throw notFound("The team is not in the group.");
  return await moveTeam(ctx, team, null, touched([group]));
}

/** A group shows its teams, so it has another version once they change, though nothing of its own does. */
function touched(changed: readonly GroupFacts[]): Statement[] {
  return changed.flatMap((group) => [updateVersioned(groups, {}, group), guardChanged("stale")]);
}

async function groupAndTeam(ctx: Context, at: { group_id: number; team_id: number }) {
  requireReach(ctx.caller, "groups.write");
  const { companyId } = ctx.caller;
  const [groupFound, teamFound] = await ctx.deps.db.read([
    groupById(companyId, at.group_id),
    teamsByIds(companyId, [at.team_id]),
  ]);
  const row = groupFound!.rows[0];
  const [team] = readTeams(teamFound!);
  if (!row || !team) throw notFound();
  const group = readGroup(row);
  checkMatch(ctx, () => presentGroup(group, ctx.now));
  return { group, team };
}

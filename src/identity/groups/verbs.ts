/** Making groups, and moving teams in and out of them: what a group shares moves at once. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, remove, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { readTeams, teamsByIds } from "../teams/queries.ts";
import { changedTeam, moveTeam } from "../teams/verbs.ts";
import { presentGroup } from "./present.ts";
import { groupById, type GroupWithTeams, readGroup } from "./queries.ts";
import type { GroupFacts } from "./summary.ts";
import { groups } from "./table.ts";
import { touchGroups } from "./touch.ts";

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

/** 200 with the group as it is now. */
export async function updateGroup(ctx: Context, id: number, body: { name?: string }): Promise<Answer> {
  const before = await groupToWrite(ctx, id);
  const changed = { name: body.name ?? before.name, updated_at: ctx.at };
  return await commit(ctx, {
    statements: [updateVersioned(groups, changed, before), guardChanged("stale")],
    answer: ok(presentGroup(withGroup({ ...before, ...changed }), ctx.now)),
  });
}

/** 204. Its teams are in no group then, and share nothing any more. */
export async function deleteGroup(ctx: Context, id: number): Promise<Answer> {
  const group = await groupToWrite(ctx, id);
  const left = group.teams.map((team) => changedTeam(ctx, team, { group_id: null }, null));
  return await commit(ctx, {
    statements: [
      ...left.flatMap(({ statements }) => statements),
      remove(groups, { id, company_id: group.company_id, version: group.version }),
      guardChanged("stale"),
    ],
    events: left.map(({ event }) => event),
    answer: noContent,
  });
}

/** Puts a team into the group, out of the one that it is in. */
export async function attachTeam(ctx: Context, at: { group_id: number; team_id: number }): Promise<Answer> {
  const { group, team } = await groupAndTeam(ctx, at);
  if (team.group_id === group.id) return noContent;
  return await moveTeam(ctx, team, group, touchGroups(team.group ? [group, team.group] : [group]));
}

/** Takes a team out of the group; 404 when it is not in it. */
export async function detachTeam(ctx: Context, at: { group_id: number; team_id: number }): Promise<Answer> {
  const { group, team } = await groupAndTeam(ctx, at);
  if (team.group_id !== group.id) throw notFound("The team is not in the group.");
  return await moveTeam(ctx, team, null, touchGroups([group]));
}

async function groupToWrite(ctx: Context, id: number) {
  requireReach(ctx.caller, "groups.write");
  const [found] = await ctx.deps.db.read([groupById(ctx.caller.companyId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const group = readGroup(row);
  checkMatch(ctx, () => presentGroup(group, ctx.now));
  return group;
}

/** Its teams show the group too. */
function withGroup<T extends GroupFacts & GroupWithTeams>(group: T): T {
  return { ...group, teams: group.teams.map((team) => ({ ...team, group })) };
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

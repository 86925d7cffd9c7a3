/** Making groups, and moving teams in and out of them: what a group shares moves at once. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import { insert, remove, statement, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { readTeams, type TeamFacts, teamsByIds } from "../teams/queries.ts";
import { changedTeam, moveTeam } from "../teams/verbs.ts";
import type { GroupDeletion } from "./deletion.ts";
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

/** Teams that leave in one batch: few enough that it holds the write lock for well under 100 ms. */
const mostTeams = 200;

/** 204. Its teams are in no group then, and share nothing any more. Of very many, most leave before. */
export async function deleteGroup(ctx: Context, id: number, legacy: GroupDeletion): Promise<Answer> {
  let group = await groupToWrite(ctx, id);
  while (group.teams.length > mostTeams) {
    const { statements, events } = leaving(ctx, group.teams.slice(0, mostTeams));
    const before = { ...ctx, idempotency: null };
    await commit(before, { statements: [...touchGroups([group]), ...statements], events, answer: noContent });
    group = { ...group, teams: group.teams.slice(mostTeams), version: group.version + 1 };
  }
  const { statements, events } = leaving(ctx, group.teams);
  return await commit(ctx, {
    statements: [
      ...statements,
      remove(groups, { id, company_id: group.company_id, version: group.version }),
      guardChanged("stale"),
      ...legacy(ctx, group.company_id, id),
    ],
    events,
    answer: noContent,
  });
}

function leaving(ctx: Context, teams: readonly TeamFacts[]) {
  const set = "update teams set group_id = null, updated_at = ?, version = version + 1 ";
  return {
    statements: [
      guardVersions("teams", teams),
      statement(
        `${set}where id in (select value from json_each(?))`,
        ctx.at,
        JSON.stringify(teams.map(({ id }) => id)),
      ),
    ],
    events: teams.map((team) => changedTeam(ctx, team, { group_id: null }, null).event),
  };
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

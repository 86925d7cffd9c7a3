/** Deleting a team: what is open, or everything that it has, goes to another. */
import { type Caller, mayPlaceInto } from "../../core/access.ts";
import { type Answer, noContent, ok } from "../../core/answer.ts";
import { conflict, forbidden, invalid, missingReference, notFound, Stale } from "../../core/errors.ts";
import { plain } from "../../core/json.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { removeValues } from "../../db/custom_values.ts";
import { guardVersions } from "../../db/guards.ts";
import { remove, sql, statement } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { touchGroups } from "../groups/write.ts";
import { reaches, requireReach } from "../permissions.ts";
import { readUser, type UserFacts, usersOfTeam } from "../users/queries.ts";
import {
  beginTeamReassignment,
  continueTeamReassignments,
  redirectTeamReassignments,
} from "./reassignment.ts";
import { leaveTeam, mostMembers } from "./leave.ts";
import { type Amount, type TeamReassignment, withPredecessors } from "./deletion.ts";
import { presentTeam } from "./present.ts";
import { readTeams, type TeamFacts, teamsByIds } from "./queries.ts";
import { teams } from "./table.ts";

/** What a deletion would do, for those who may make it. */
export async function getDeleteImpact(ctx: Context, id: number, legacy: TeamReassignment): Promise<Answer> {
  requireReach(ctx.caller, "teams.delete");
  const { open, owned } = amountsOf(ctx, id, legacy);
  const [found, opened, counted] = await ctx.deps.db.read([
    teamsByIds(ctx.caller.companyId, [id]),
    counts(open),
    counts(owned),
  ]);
  mayDelete(ctx.caller, readTeams(found!)[0]);
  return ok(plain(impactOf(readCounts(open, opened!), readCounts(owned, counted!))));
}

/**
 * 204. `assignTo` is the id of the team that takes its place in every record; 409 while one is open, without.
 * Of very many members most leave before, in batches of their own.
 */
export async function deleteTeam(
  ctx: Context,
  id: number,
  assignTo: number | undefined,
  legacy: TeamReassignment,
): Promise<Answer> {
  const { caller } = ctx;
  requireReach(caller, "teams.delete");
  const parting = { company_id: caller.companyId, team_id: id, heir_id: assignTo ?? null };
  const { open, owned } = amountsOf(ctx, id, legacy);
  const [found, heirFound, membersFound, opened, counted, ...results] = await ctx.deps.db.read([
    teamsByIds(caller.companyId, [id]),
    teamsByIds(caller.companyId, assignTo === undefined ? [] : [assignTo]),
    membersToLeave(ctx, id),
    counts(open),
    counts(owned),
    ...legacy.reads(parting),
  ]);
  const team = mayDelete(caller, readTeams(found!)[0]);
  checkMatch(ctx, () => presentTeam(team, ctx.now, ctx.fields.seen));
  const heir = readTeams(heirFound!)[0] ?? null;
  if (
    assignTo !== undefined && (!heir || assignTo === id || !mayPlaceInto(caller, { ...heir, id: assignTo }))
  ) {
    throw invalid(missingReference("query.assign_to", "other team"));
  }
  const blocking = readCounts(open, opened!);
  if (!heir && blocking.some(({ amount }) => amount > 0)) {
    throw conflict(
      "delete_blocked",
      "The team has open leads or cases; assign_to names a team that takes them.",
      impactOf(blocking, readCounts(owned, counted!)),
    );
  }

  const decided = [guardVersions("teams", heir ? [team, heir] : [team]), ...(heir ? [] : [guardNone(open)])];
  const members = membersFound!.rows.map(readUser);
  if (members.length > mostMembers) {
    await leaveBefore(ctx, id, members, decided);
    throw new Stale("the members of the team");
  }
  const handed = legacy.apply(ctx, parting, heir, results);
  const left = leaveTeam(ctx, id, members);
  const answer = await commit(ctx, {
    statements: [
      ...decided,
      ...left.statements,
      guardThat("members", sql`not exists (select 1 from team_members where team_id = ${id})`),
      withoutInvitations(ctx, id),
      ...touchGroups(team.group ? [team.group] : []),
      redirectTeamReassignments(parting),
      ...removeValues(ctx.fields.all.team.custom, sql`select ${id}`),
      remove(teams, { id, company_id: team.company_id, version: team.version }),
      guardChanged("stale"),
      ...handed.statements,
      ...(handed.more ? [beginTeamReassignment(ctx, parting)] : []),
    ],
    events: [
      {
        name: "team_deleted",
        entity: { type: "team", id, team_id: null, created_by: team.created_by },
        body: presentTeam(team, ctx.now, ctx.fields.all),
        seenBefore: true,
      },
      ...left.events,
      ...handed.events,
    ],
    answer: noContent,
  });
  if (handed.more) ctx.deps.background.run(() => continueTeamReassignments(ctx.deps, ctx.now, legacy));
  return answer;
}

/** Whoever deletes the team leaves it last: they may delete it by being in it. */
function membersToLeave({ caller }: Context, id: number): Statement {
  return usersOfTeam(id, mostMembers + 1, caller.userId);
}

/** All leave but as many as the last batch takes, while what was decided holds. */
async function leaveBefore(
  ctx: Context,
  id: number,
  members: UserFacts[],
  decided: readonly Statement[],
): Promise<void> {
  while (members.length > mostMembers) {
    const { statements, events } = leaveTeam(ctx, id, members.slice(0, mostMembers));
    const before = { ...ctx, idempotency: null };
    await commit(before, { statements: [...decided, ...statements], events, answer: noContent });
    const [found] = await ctx.deps.db.read([membersToLeave(ctx, id)]);
    members = found!.rows.map(readUser);
  }
}

/** The team; 404 when there is none, 403 when it is not one that the caller may delete. */
function mayDelete(caller: Caller, team: TeamFacts | undefined): TeamFacts {
  if (!team) throw notFound();
  if (!reaches(caller, requireReach(caller, "teams.delete"), { id: team.id!, group_id: team.group_id })) {
    throw forbidden("The team is not one that you may delete.");
  }
  return team;
}

function amountsOf(ctx: Context, id: number, legacy: TeamReassignment): { open: Amount[]; owned: Amount[] } {
  const { companyId } = ctx.caller;
  const members = sql`(select count(*) from team_members where team_id = ${id})`;
  return {
    open: [...legacy.open(companyId, withPredecessors(id), ctx.at)],
    owned: [{ type: "users", number: members }, ...legacy.owned(companyId, id)],
  };
}

interface Counted {
  readonly type: string;
  readonly amount: number;
}

function counts(amounts: readonly Amount[]): Statement {
  const columns = amounts.map(({ type, number }) => `${number.sql} as ${type}`);
  return statement(`select ${columns.join(", ")}`, ...amounts.flatMap(({ number }) => number.args));
}

function readCounts(amounts: readonly Amount[], { rows: [row] }: Result): Counted[] {
  return amounts.map(({ type }) => ({ type, amount: Number(row![type]) }));
}

/** What is open keeps the team from being deleted without an heir; what it has besides is affected. */
function impactOf(open: readonly Counted[], owned: readonly Counted[]) {
  const some = (counted: readonly Counted[]) =>
    counted.filter(({ amount }) => amount > 0).map(({ type, amount }) => ({ type, amount }));
  return { blocked_by: some(open), deletes: [], affects: some(owned) };
}

/** Refuses the batch when something has been opened for the team meanwhile. */
function guardNone(open: readonly Amount[]): Statement {
  return guardThat(
    "open",
    statement(
      open.map(({ number }) => `${number.sql} = 0`).join(" and "),
      ...open.flatMap(({ number }) => number.args),
    ),
  );
}

/** Invitations that are open give the other teams that they name. */
function withoutInvitations(ctx: Context, id: number): Statement {
  return sql`update invitations set team_ids = (select json_group_array(each.value order by each.key)
    from json_each(team_ids) each where each.value <> ${id}), updated_at = ${ctx.at}, version = version + 1
    where company_id = ${ctx.caller.companyId} and exists (select 1 from json_each(team_ids) each where each.value = ${id})`;
}

/** Deletes a team. All its records go to the successor. */
import { type Caller, mayPlaceInto } from "../../core/access.ts";
import { noContent, ok } from "../../core/answer.ts";
import { conflict, forbidden, invalid, missingReference, notFound, Stale } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, identifier, joinSql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { touchGroups } from "../teams/group.ts";
import { reaches, requireReach } from "../permissions.ts";
import { readUser, selectUsersOfTeam, type UserFacts } from "../users/queries.ts";
import { listStatements, readPayload, takeFirst, withFirstStep } from "../../staged/first_step.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork, redirectWork } from "../../staged/work.ts";
import { describeTeamReassignment } from "../teams/reassignment.ts";
import { leaveTeam, mostMembers } from "./leave_team.ts";
import { type Amount, selectWithPredecessors, type TeamReassignment } from "../teams/deletion.ts";
import { presentTeam } from "../teams/present.ts";
import { readTeams, selectTeamsByIds, type TeamFacts } from "../teams/queries.ts";
import { removeTeam } from "../teams/write.ts";

/** Returns the impact of deleting the team. Throws 403 for callers who may not delete it. */
export async function getTeamImpact(
  ctx: Context,
  id: number,
  reassignment: TeamReassignment,
) {
  requireReach(ctx.caller, "teams.delete");
  const { open, owned } = countAmounts(ctx, id, reassignment);
  const [found, opened, counted] = await ctx.deps.db.read([
    selectTeamsByIds(ctx.caller.companyId, [id]),
    selectAmounts(open),
    selectAmounts(owned),
  ]);
  requireDeletable(ctx.caller, readTeams(found!)[0]);
  return ok(presentImpact(readCounts(open, opened!), readCounts(owned, counted!)));
}

/**
 * Returns 204. `assignTo` is the id of the successor, which replaces the team in every record; without one,
 * throws 409 while a record is open. If there are very many members, most leave before, in separate batches.
 */
export async function deleteTeam(
  ctx: Context,
  id: number,
  assignTo: number | undefined,
  reassignment: TeamReassignment,
) {
  const { caller } = ctx;
  requireReach(caller, "teams.delete");
  const successor_id = assignTo ?? null;
  const deletion = { company_id: caller.companyId, team_id: id, successor_id, deleted_by: caller.userId };
  const { open, owned } = countAmounts(ctx, id, reassignment);
  const plan = reassignment.step(deletion, takeFirst);
  const [found, successorFound, membersFound, opened, counted, ...results] = await ctx.deps.db.read([
    selectTeamsByIds(caller.companyId, [id]),
    selectTeamsByIds(caller.companyId, successor_id === null ? [] : [successor_id]),
    selectMembersToLeave(ctx, id),
    selectAmounts(open),
    selectAmounts(owned),
    ...plan.reads,
  ]);
  const team = requireDeletable(caller, readTeams(found!)[0]);
  checkMatch(ctx, () => presentTeam(team, ctx.now, ctx.fields.seen));
  const successor = readTeams(successorFound!)[0] ?? null;
  const isPossible = successor && successor.id !== id &&
    mayPlaceInto(caller, { ...successor, id: successor.id! });
  if (successor_id !== null && !isPossible) throw invalid(missingReference("query.assign_to", "other team"));
  const blocking = readCounts(open, opened!);
  if (!successor && blocking.some(({ amount }) => amount > 0)) {
    throw conflict(
      "delete_blocked",
      "The team has open leads or cases; assign_to names a team that takes them.",
      presentImpact(blocking, readCounts(owned, counted!)),
    );
  }

  const decided = [
    guardVersions("teams", successor ? [team, successor] : [team]),
    ...(successor ? [] : [guardNone(open)]),
  ];
  const members = membersFound!.rows.map(readUser);
  const leaving = successor ? [] : reassignment.leaving?.(caller.companyId, id) ?? [];
  if (members.length > mostMembers) {
    await leaveBefore(ctx, id, members, [...decided, ...leaving]);
    throw new Stale("the members of the team");
  }
  const kind = describeTeamReassignment(reassignment);
  const left = leaveTeam(ctx, id, members);
  return await withFirstStep(() => plan.apply(ctx, successor, results), async (step) => {
    const answer = await commit(ctx, {
      statements: [
        ...decided,
        ...leaving,
        ...left.statements,
        guardThat("members", sql`not exists (select 1 from team_members where team_id = ${id})`),
        ...ctx.deps.clearNaming(ctx, "team", { company_id: caller.companyId, id }),
        ...ctx.deps.deleteNaming("team", sql`${id}`),
        ...touchGroups(team.group ? [team.group] : []),
        redirectWork(kind, caller.companyId, { from: id, to: successor_id }),
        ...removeTeam(ctx, team),
        ...listStatements(step),
        ...(step.more
          ? [
            beginWork(ctx, kind, {
              company_id: caller.companyId,
              subject: id,
              payload: readPayload(step, { successor_id, deleted_by: caller.userId }),
            }),
          ]
          : []),
      ],
      events: [
        {
          name: "team_deleted",
          entity: { type: "team", id, team_id: null, created_by: team.created_by },
          body: presentTeam(team, ctx.now, ctx.fields.all),
          seenBefore: true,
        },
        ...left.events,
        ...step.events,
      ],
      answer: noContent,
    });
    if (step.more) ctx.deps.background.run(() => runStaged(ctx.deps, ctx.now, [kind], id));
    return answer;
  });
}

/** Selects members to remove. The caller comes last, since membership may be what permits the deletion. */
function selectMembersToLeave({ caller }: Context, id: number): Statement {
  return selectUsersOfTeam(id, mostMembers + 1, caller.userId);
}

/** Removes members in batches until at most `mostMembers` are left. Each batch begins with `first`. */
async function leaveBefore(
  ctx: Context,
  id: number,
  members: UserFacts[],
  first: readonly Statement[],
): Promise<void> {
  while (members.length > mostMembers) {
    const { statements, events } = leaveTeam(ctx, id, members.slice(0, mostMembers));
    const before = { ...ctx, idempotency: null };
    await commit(before, { statements: [...first, ...statements], events, answer: noContent });
    const [found] = await ctx.deps.db.read([selectMembersToLeave(ctx, id)]);
    members = found!.rows.map(readUser);
  }
}

/** Returns the team; throws 404 when it does not exist, 403 when the caller may not delete it. */
function requireDeletable(caller: Caller, team: TeamFacts | undefined): TeamFacts {
  if (!team) throw notFound();
  if (!reaches(caller, requireReach(caller, "teams.delete"), { id: team.id!, group_id: team.group_id })) {
    throw forbidden("The team is not one that you may delete.");
  }
  return team;
}

function countAmounts(
  ctx: Context,
  id: number,
  reassignment: TeamReassignment,
): { open: Amount[]; owned: Amount[] } {
  const { companyId } = ctx.caller;
  const members = sql`(select count(*) from team_members where team_id = ${id})`;
  return {
    open: [...reassignment.open(companyId, selectWithPredecessors(companyId, id), ctx.at)],
    owned: [{ type: "users", number: members }, ...reassignment.countOwned(companyId, id)],
  };
}

interface Counted {
  readonly type: string;
  readonly amount: number;
}

function selectAmounts(amounts: readonly Amount[]): Statement {
  const columns = amounts.map(({ type, number }) => sql`${number} as ${identifier(type)}`);
  return sql`select ${joinSql(columns, ", ")}`;
}

function readCounts(amounts: readonly Amount[], { rows: [row] }: Result): Counted[] {
  return amounts.map(({ type }) => ({ type, amount: Number(row![type]) }));
}

/** Presents the impact. Open records block a deletion without a successor; a deletion affects the others. */
function presentImpact(open: readonly Counted[], owned: readonly Counted[]) {
  const some = (counted: readonly Counted[]) =>
    counted.filter(({ amount }) => amount > 0).map(({ type, amount }) => ({ type, amount }));
  return { blocked_by: some(open), deletes: [], affects: some(owned) };
}

/** Refuses the batch when the team has open records. */
function guardNone(open: readonly Amount[]): Statement {
  return guardThat("open", joinSql(open.map(({ number }) => sql`${number} = 0`), " and "));
}

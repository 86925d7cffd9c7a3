import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeChanges } from "../../records/members.ts";
import { requireReach } from "../permissions.ts";
import { presentGroup } from "./present.ts";
import { type GroupWithTeams, readGroup, selectGroupById } from "./queries.ts";
import { groupMembers, type GroupRow, groups, type UpdateGroup } from "./record.ts";

/** Returns 200 with the updated group. */
export async function updateGroup(ctx: Context, id: number, body: UpdateGroup) {
  const before = await groupToWrite(ctx, id);
  const changed = { ...makeChanges(groupMembers, body, before), updated_at: ctx.at };
  return await commit(ctx, {
    statements: [updateVersioned(groups, changed, before), guardChanged("stale")],
    answer: ok(presentGroup(withGroup({ ...before, ...changed }), ctx.now)),
  });
}

export async function groupToWrite(ctx: Context, id: number) {
  requireReach(ctx.caller, "groups.write");
  const [found] = await ctx.deps.db.read([selectGroupById(ctx.caller.companyId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const group = readGroup(row);
  checkMatch(ctx, () => presentGroup(group, ctx.now));
  return group;
}

/** Returns the group with its new values in its teams, which show the group too. */
function withGroup<T extends GroupRow & GroupWithTeams>(group: T): T {
  return { ...group, teams: group.teams.map((team) => ({ ...team, group })) };
}

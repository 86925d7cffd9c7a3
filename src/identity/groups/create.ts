import { created } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { makeInitial } from "../../records/members.ts";
import { requireReach } from "../permissions.ts";
import { presentGroup } from "./present.ts";
import type { GroupWithTeams } from "./queries.ts";
import { type CreateGroup, groupMembers, groups } from "./record.ts";

export async function createGroup(ctx: Context, body: CreateGroup) {
  requireReach(ctx.caller, "groups.write");
  const row = {
    company_id: ctx.caller.companyId,
    ...makeInitial(groupMembers, body),
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  const group: GroupWithTeams = { ...row, id: null, teams: [] };
  return await commit(ctx, {
    statements: [guardNumber("groups", ctx.caller.companyId), insert(groups, row)],
    answer: created(presentGroup(group, ctx.now)),
    idFrom: groups,
  });
}

import { created } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { requireReach } from "../permissions.ts";
import { presentGroup } from "./present.ts";
import type { GroupWithTeams } from "./queries.ts";
import { groups } from "./table.ts";

export async function createGroup(ctx: Context, body: { name: string }) {
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
    statements: [guardNumber("groups", ctx.caller.companyId), insert(groups, row)],
    answer: created(presentGroup(group, ctx.now)),
    idFrom: groups,
  });
}

import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { presentTeam } from "./present.ts";
import { readTeams, selectTeamsByIds } from "./queries.ts";

export async function getTeam(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectTeamsByIds(ctx.caller.companyId, [id])]);
  const [team] = readTeams(found!);
  if (!team) throw notFound();
  return ok(presentTeam(team, ctx.now, ctx.fields.seen));
}

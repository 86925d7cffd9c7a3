import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { presentCompany } from "../companies/present.ts";
import { companyById, readOwn } from "../companies/queries.ts";
import { presentTeam } from "../teams/present.ts";
import { presentUser } from "./present.ts";
import { readUser, readUserAt, selectUserById, type UserPlace } from "./queries.ts";

/** Returns the calling user with company and rights. */
export async function getMe(ctx: Context) {
  const { companyId, userId, rights } = ctx.caller;
  const [user, company] = await ctx.deps.db.read([selectUserById(companyId, userId), companyById(companyId)]);
  const userRow = user!.rows[0];
  if (!userRow) throw notFound();
  return ok(presentUser(readUser(userRow), ctx, {
    company: presentCompany(readOwn(company), ctx),
    rights: [...rights],
  }));
}

export async function getUser(ctx: Context, at: UserPlace) {
  return ok(presentUser(await readUserAt(ctx, at), ctx));
}

/** Returns the user's teams. */
export async function getTeamsOfUser(ctx: Context, at: UserPlace) {
  const { teams } = await readUserAt(ctx, at);
  return ok({ data: teams.map((team) => presentTeam(team, ctx.now, ctx.fields.seen)) });
}

import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { presentDeleteImpact, presentRole } from "./present.ts";
import { countUsersOfRole, readRole, selectRoleById } from "./queries.ts";

export async function getRole(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectRoleById(ctx.caller.companyId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return ok(presentRole(readRole(row)));
}

/** Returns the number of users who would lose the role. */
export async function getDeleteImpact(ctx: Context, id: number) {
  const [found, users] = await ctx.deps.db.read([
    selectRoleById(ctx.caller.companyId, id),
    countUsersOfRole(id),
  ]);
  if (!found!.rows[0]) throw notFound();
  return ok(presentDeleteImpact(users!.rows[0]!.n as number));
}

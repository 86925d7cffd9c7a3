import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { requireReach } from "../permissions.ts";
import { presentDrivers } from "./present.ts";
import { driversOf, readDrivers } from "./queries.ts";

/** Returns 200 with the drivers. */
export async function getSso(ctx: Context, companyId: number) {
  checkMay(ctx, companyId);
  const [found] = await ctx.deps.db.read([driversOf(companyId)]);
  return ok(presentDrivers(readDrivers(ctx.deps.secretsKey, found!)));
}

export function checkMay(ctx: Context, companyId: number): void {
  if (companyId !== ctx.caller.companyId) throw notFound();
  requireReach(ctx.caller, "sso");
}

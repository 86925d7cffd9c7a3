import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { presentGroup } from "./present.ts";
import { readGroup, selectGroupById } from "./queries.ts";

export async function getGroup(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectGroupById(ctx.caller.companyId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return ok(presentGroup(readGroup(row), ctx.now));
}

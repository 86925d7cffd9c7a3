/** Deletes an indicator set. */
import { noContent, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { recordGuards } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { guardUnused, impactOf, usesRead } from "../../sales/uses.ts";
import { checkMayWriteSet, seenSet } from "./belonging.ts";
import { indicatorSetById } from "./queries.ts";
import { indicatorSets, presentSet } from "./record.ts";
import { type SetUse, usesOfSet } from "./uses.ts";

/** Returns what prevents the deletion of the set. */
export async function getSetImpact(ctx: Context, setUses: readonly SetUse[], id: string) {
  const uses = usesOfSet(setUses, id);
  const [found, counted] = await ctx.deps.db.read([
    indicatorSetById(ctx.caller.companyId, id),
    usesRead(uses),
  ]);
  checkMayWriteSet(ctx.caller, seenSet(ctx.caller, found!));
  return ok(impactOf(uses, counted!));
}

/** Throws 409 while something uses the set. */
export async function deleteIndicatorSet(ctx: Context, setUses: readonly SetUse[], id: string) {
  const { companyId } = ctx.caller;
  const uses = usesOfSet(setUses, id);
  const [found, counted] = await ctx.deps.db.read([
    indicatorSetById(companyId, id),
    usesRead(uses),
  ]);
  const set = seenSet(ctx.caller, found!);
  checkMayWriteSet(ctx.caller, set);
  checkMatch(ctx, () => presentSet(set));
  const impact = impactOf(uses, counted!);
  if (impact.blocked_by.length > 0) {
    throw conflict("delete_blocked", "Scheduled reports use the indicator set.", impact);
  }
  return await commit(ctx, {
    statements: [
      ...recordGuards(ctx.caller, set),
      guardUnused(uses),
      remove(indicatorSets, { id, company_id: companyId, version: set.version }),
      guardChanged("indicator_set"),
    ],
    answer: noContent,
  });
}

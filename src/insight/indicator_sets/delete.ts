/** Deletes an indicator set. */
import { noContent } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { recordGuards } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { guardUnused, usesOf, usesRead } from "../../sales/uses.ts";
import { checkMayWriteSet, seenSet } from "./belonging.ts";
import { presentSet } from "./present.ts";
import { indicatorSetById } from "./queries.ts";
import { indicatorSets } from "./table.ts";
import { type SetUse, usesOfSet } from "./uses.ts";

/** Throws 409 while something uses the set. */
export async function deleteIndicatorSet(ctx: Context, setUses: readonly SetUse[], id: string) {
  const { companyId } = ctx.caller;
  const uses = usesOfSet(setUses, id);
  const [found, counted] = await ctx.deps.db.read([
    indicatorSetById(companyId, id),
    ...(uses.length > 0 ? [usesRead(uses)] : []),
  ]);
  const set = seenSet(ctx.caller, found!);
  checkMayWriteSet(ctx.caller, set);
  checkMatch(ctx, () => presentSet(set));
  const blocked_by = counted ? usesOf(uses, counted) : [];
  if (blocked_by.length > 0) {
    throw conflict("delete_blocked", "Scheduled reports use the indicator set.", { blocked_by, deletes: [] });
  }
  return await commit(ctx, {
    statements: [
      ...recordGuards(ctx.caller, set),
      ...(uses.length > 0 ? [guardUnused(uses)] : []),
      remove(indicatorSets, { id, company_id: companyId, version: set.version }),
      guardChanged("indicator_set"),
    ],
    answer: noContent,
  });
}

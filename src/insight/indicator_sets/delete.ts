/** Deletes an indicator set. */
import { noContent, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { type Blocker, guardUnblocked, readImpact, selectBlockers } from "../../db/blockers.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireSeenSet, selectIndicatorSetById } from "./queries.ts";
import { indicatorSets, presentSet } from "./record.ts";

/** Returns what prevents the deletion of the set. */
export async function getSetImpact(ctx: Context, blockers: readonly Blocker[], id: string) {
  return ok((await readDeletion(ctx, blockers, id)).impact);
}

/** Throws 409 while something uses the set. */
export async function deleteIndicatorSet(ctx: Context, blockers: readonly Blocker[], id: string) {
  const { companyId } = ctx.caller;
  const { blocked, set, impact } = await readDeletion(ctx, blockers, id);
  checkMatch(ctx, () => presentSet(set));
  if (impact.blocked_by.length > 0) {
    throw conflict("delete_blocked", "Scheduled reports use the indicator set.", impact);
  }
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, set),
      guardUnblocked(blocked),
      ...ctx.deps.deleteNaming("indicator_set", sql`${id}`),
      remove(indicatorSets, { id, company_id: companyId, version: set.version }),
      guardChanged("indicator_set"),
    ],
    answer: noContent,
  });
}

/** Reads a set that the caller may delete, and what prevents that. */
async function readDeletion(ctx: Context, blockers: readonly Blocker[], id: string) {
  const { companyId } = ctx.caller;
  const blocked = { blockers, companyId, id };
  const [found, counted] = await ctx.deps.db.read([
    selectIndicatorSetById(companyId, id),
    selectBlockers(blocked),
  ]);
  const set = requireSeenSet(ctx.caller, found!);
  checkMayWrite(ctx.caller, set, set);
  return { blocked, set, impact: readImpact(blocked, counted!) };
}

/** Renames a rank. */
import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeChanges } from "../../records/members.ts";
import { presentFullRank } from "./present.ts";
import { requireRank, selectRankById } from "./queries.ts";
import { type RankChange, rankMembers, ranks } from "./record.ts";

/** Returns the changed rank. */
export async function updateRank(ctx: Context, id: string, body: RankChange) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([selectRankById(companyId, id)]);
  const before = requireRank(ctx.caller, found!);
  checkMayWrite(ctx.caller, before, before);
  checkMatch(ctx, () => presentFullRank(ctx.caller, before));
  const set = { ...makeChanges(rankMembers, body, before), updated_at: ctx.at };
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, before),
      updateVersioned(ranks, set, before),
      guardChanged("rank"),
    ],
    answer: ok(presentFullRank(ctx.caller, { ...before, ...set, version: before.version + 1 })),
  });
}

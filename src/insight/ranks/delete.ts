/** Deletes a rank. What was won stays in the stream. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentFullRank } from "./present.ts";
import { requireRank, selectRankById } from "./queries.ts";
import { ranks } from "./record.ts";

/** Returns 204. For those who may change the rank. */
export async function deleteRank(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([selectRankById(companyId, id)]);
  const rank = requireRank(ctx.caller, found!);
  checkMayWrite(ctx.caller, rank, rank);
  checkMatch(ctx, () => presentFullRank(ctx.caller, rank));
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, rank),
      remove(ranks, { id, company_id: companyId, version: rank.version }),
      guardChanged("rank"),
    ],
    answer: noContent,
  });
}

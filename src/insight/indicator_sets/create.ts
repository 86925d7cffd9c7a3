/** Creates an indicator set. */
import { ok } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { checkBelonging, chooseBelongingAfter, guardOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { makeInitial } from "../../records/members.ts";
import { type IndicatorSetBody, indicatorSets, presentSet, setKind, setMembers } from "./record.ts";

/** Returns 200 with the set, which is private unless the body shares it. */
export async function createIndicatorSet(ctx: Context, body: IndicatorSetBody) {
  const { companyId, userId } = ctx.caller;
  const owner = chooseBelongingAfter(null, body);
  const [found] = await ctx.deps.db.read([selectOwnerFacts(companyId, owner)]);
  const facts = found!.rows[0]!;
  checkBelonging(ctx.caller, userId, owner, facts, setKind);
  const row = {
    ...makeInitial(setMembers, body),
    id: makeId(ctx.now),
    company_id: companyId,
    user_id: userId,
    ...owner,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      guardNumber("indicator_sets", companyId),
      guardOwner(companyId, owner, facts),
      insert(indicatorSets, row),
    ],
    answer: ok(presentSet(row)),
  });
}

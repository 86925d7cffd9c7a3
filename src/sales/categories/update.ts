/** Renames a category of products. */
import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeChanges } from "../../records/members.ts";
import { requireCategory, selectCategoryById } from "./queries.ts";
import { type CategoryChange, categoryMembers, presentCategory, productCategories } from "./record.ts";

/** Products show the new name; their own rows do not change. */
export async function updateCategory(ctx: Context, id: number, body: CategoryChange) {
  const [found] = await ctx.deps.db.read([selectCategoryById(ctx.caller.companyId, id)]);
  const before = requireCategory(found!);
  checkMatch(ctx, () => presentCategory(before));
  const changed = { ...makeChanges(categoryMembers, body, before), updated_at: ctx.at };
  return await commit(ctx, {
    statements: [updateVersioned(productCategories, changed, before), guardChanged("category")],
    answer: ok(presentCategory({ ...before, ...changed })),
  });
}

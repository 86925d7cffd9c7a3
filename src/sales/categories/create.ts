/** Creates a category of products. */
import { created } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumberOf } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { initialOf } from "../../records/members.ts";
import { type CategoryBody, categoryMembers, presentCategory, productCategories } from "./record.ts";

export async function createCategory(ctx: Context, body: CategoryBody) {
  const row = {
    ...initialOf(categoryMembers, body),
    company_id: ctx.caller.companyId,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [guardNumberOf("product_categories", ctx.caller.companyId), insert(productCategories, row)],
    answer: created(presentCategory({ ...row, id: null })),
    idFrom: productCategories,
  });
}

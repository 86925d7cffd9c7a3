/** Creates a category of products. */
import { created } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumberOf } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { presentCategory } from "./present.ts";
import type { CategoryBody } from "./schema.ts";
import { productCategories } from "./table.ts";

export async function createCategory(ctx: Context, body: CategoryBody) {
  const row = {
    company_id: ctx.caller.companyId,
    name: body.name,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  return await commit(ctx, {
    statements: [guardNumberOf("product_categories", ctx.caller.companyId), insert(productCategories, row)],
    answer: created(presentCategory({ ...row, id: null })),
    idFrom: productCategories,
  });
}

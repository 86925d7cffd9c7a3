/** Creates a category of products. */
import { created } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type CategoryBody, presentCategory, productCategories } from "./record.ts";
import { insertCategory, makeCategory } from "./write.ts";

export async function createCategory(ctx: Context, body: CategoryBody) {
  const row = makeCategory(ctx.caller.companyId, ctx.at, body);
  return await commit(ctx, {
    statements: insertCategory(row),
    answer: created(presentCategory({ ...row, id: null })),
    idFrom: productCategories,
  });
}

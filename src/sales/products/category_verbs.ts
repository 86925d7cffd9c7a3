/** The categories of products. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, remove, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { mostChanged } from "./delete.ts";
import { asProduct, presentCategory } from "./present.ts";
import { categoryById, categoryOf, productsAmong } from "./queries.ts";
import type { CategoryBody, CategoryChange } from "./schema.ts";
import { productCategories } from "./table.ts";
import { changedProduct } from "./write.ts";

export async function getCategory(ctx: Context, id: number): Promise<Answer> {
  const [found] = await ctx.deps.db.read([categoryById(ctx.caller.companyId, id)]);
  return ok(presentCategory(categoryOf(found!)));
}

/** 201 with the category. */
export async function createCategory(ctx: Context, body: CategoryBody): Promise<Answer> {
  const row = {
    company_id: ctx.caller.companyId,
    name: body.name,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  return await commit(ctx, {
    statements: [insert(productCategories, row)],
    answer: created(presentCategory({ ...row, id: null })),
    idFrom: productCategories,
  });
}

/** 200 with the category as it is now. Products show its name, and are not changed by it themselves. */
export async function updateCategory(ctx: Context, id: number, body: CategoryChange): Promise<Answer> {
  const [found] = await ctx.deps.db.read([categoryById(ctx.caller.companyId, id)]);
  const before = categoryOf(found!);
  checkMatch(ctx, () => presentCategory(before));
  const changed = { name: body.name ?? before.name, updated_at: ctx.at };
  return await commit(ctx, {
    statements: [updateVersioned(productCategories, changed, before), guardChanged("category")],
    answer: ok(presentCategory({ ...before, ...changed })),
  });
}

/** 204. Products that are in it stay, in their other categories; of very many, most leave it before. */
export async function deleteCategory(ctx: Context, id: number): Promise<Answer> {
  const { companyId } = ctx.caller;
  const inside = sql`select product_id from products_in_categories where category_id = ${id}`;
  for (;;) {
    const [found, members] = await ctx.deps.db.read([
      categoryById(companyId, id),
      productsAmong(companyId, inside, mostChanged + 1),
    ]);
    const category = categoryOf(found!);
    checkMatch(ctx, () => presentCategory(category));
    const leaving = members!.rows.slice(0, mostChanged).map(asProduct).map((product) =>
      changedProduct(ctx, product, { categories: product.categories.filter((each) => each.id !== id) })
    );
    const statements = leaving.flatMap((write) => write.statements);
    const events = leaving.map(({ event }) => event);
    if (members!.rows.length <= mostChanged) {
      const { version } = category;
      const gone = [
        remove(productCategories, { id, company_id: companyId, version }),
        guardChanged("category"),
      ];
      return await commit(ctx, { statements: [...statements, ...gone], events, answer: noContent });
    }
    await commit({ ...ctx, idempotency: null }, { statements, events, answer: noContent });
  }
}

/** Deletes a category. It stands here since it changes products, which stand above categories. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { filterReasons } from "../../customers/fields/stored_filter.ts";
import { namesRecord, type StopFilters } from "../../customers/fields/stop_filters.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { mostChanged } from "./delete.ts";
import { requireCategory, selectCategoryById } from "../categories/queries.ts";
import { presentCategory } from "../categories/record.ts";
import { removeCategory } from "../categories/write.ts";
import { readProductRow, selectProductsAmong } from "./queries.ts";
import { changeProduct } from "./write.ts";

/**
 * The products of the category stay, and stored filters that name it stop. If they are many, most of them leave the
 * category in earlier commits.
 */
export async function deleteCategory(ctx: Context, id: number, stopFilters: StopFilters) {
  const { companyId } = ctx.caller;
  const inside = sql`select product_id from products_in_categories where category_id = ${id}`;
  for (;;) {
    const [found, members] = await ctx.deps.db.read([
      selectCategoryById(companyId, id),
      selectProductsAmong(companyId, inside, mostChanged + 1),
    ]);
    const category = requireCategory(found!);
    checkMatch(ctx, () => presentCategory(category));
    const leaving = members!.rows.slice(0, mostChanged).map(readProductRow).map((product) =>
      changeProduct(ctx, product, { categories: product.categories.filter((each) => each.id !== id) })
    );
    const statements = [
      ...stopFilters(
        ctx,
        companyId,
        namesRecord("category", sql`select ${id}`, true),
        filterReasons.category,
      ),
      ...leaving.flatMap((write) => write.statements),
    ];
    const events = leaving.map(({ event }) => event);
    if (members!.rows.length <= mostChanged) {
      return await commit(ctx, {
        statements: [...statements, ...removeCategory(category)],
        events,
        answer: noContent,
      });
    }
    await commit({ ...ctx, idempotency: null }, { statements, events, answer: noContent });
  }
}

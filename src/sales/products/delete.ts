/** Deletes products. Leads and activities keep what they show of them. */
import { noContent } from "../../core/answer.ts";
import { commit, type FieldAuthor, type UserAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { namesRecord, type StopFilters } from "../../customers/fields/stop_filters.ts";
import { removeValues } from "../../db/custom_values.ts";
import { remove, type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { readProductRow, requireProduct, selectProductById, selectProductsAmong } from "./queries.ts";
import { presentProduct, type ProductFacts, products } from "./record.ts";
import { changeProduct, draftProductEvent } from "./write.ts";

/** The most products that a commit changes besides what it deletes, so that it holds the write lock for well under 100 ms. */
export const mostChanged = 100;

/**
 * `withRelated` deletes its related products too, but not their related products. Other products that name a
 * deleted one lose the reference; if they are many, most of them lose it in earlier commits.
 */
export async function deleteProduct(
  ctx: Context,
  id: string,
  withRelated: boolean,
  stopFilters: StopFilters,
) {
  const { companyId } = ctx.caller;
  const ids = selectDeletedIds(id, withRelated);
  for (;;) {
    const [found, related, naming] = await ctx.deps.db.read([
      selectProductById(companyId, id),
      selectProductsAmong(companyId, sql`${ids} except select ${id}`, -1),
      selectProductsAmong(companyId, selectNamingOthers(ids), mostChanged + 1),
    ]);
    const product = requireProduct(found!);
    checkMatch(ctx, () => presentProduct(product, ctx.fields.seen));
    const gone = [product, ...related!.rows.map(readProductRow)];
    const losing = naming!.rows.slice(0, mostChanged).map((row) =>
      withoutRelated(ctx, readProductRow(row), gone)
    );
    const before = {
      statements: losing.flatMap(({ statements }) => statements),
      events: losing.map(({ event }) => event),
    };
    if (naming!.rows.length <= mostChanged) {
      return await commit(ctx, {
        statements: [
          ...stopProductFilters(ctx, gone, stopFilters),
          ...before.statements,
          ...removeProducts(ctx, gone),
        ],
        events: [...before.events, ...gone.map((each) => draftProductEvent("product_deleted", each, ctx))],
        answer: noContent,
      });
    }
    await commit({ ...ctx, idempotency: null }, { ...before, answer: noContent });
  }
}

/** A select of the ids of the deleted products. */
function selectDeletedIds(id: string, withRelated: boolean): Sql {
  return withRelated
    ? sql`select ${id} union all select related_id from related_products where product_id = ${id}`
    : sql`select ${id}`;
}

/** A select of the ids of other products that name one of the given products. */
function selectNamingOthers(ids: Sql): Sql {
  return sql`select product_id from related_products where related_id in (${ids})
    and product_id not in (${ids})`;
}

function withoutRelated(ctx: Context, product: ProductFacts, gone: readonly ProductFacts[]) {
  const related = product.related.filter((id) => !gone.some((each) => each.id === id));
  return changeProduct(ctx, product, { related });
}

/**
 * Stops filters that name a category of the products: what was sold would not be of the category any more.
 */
export function stopProductFilters(
  ctx: UserAuthor,
  gone: readonly ProductFacts[],
  stopFilters: StopFilters,
): readonly Statement[] {
  const ids = gone.flatMap(({ categories }) => categories.map((category) => category.id));
  if (ids.length === 0) return [];
  const among = sql`select value from json_each(${JSON.stringify(ids)})`;
  const names = namesRecord("category", among, true);
  return stopFilters(ctx, ctx.caller.companyId, names, "its filter names the category of a deleted product");
}

/** Removes products. A foreign key rejects the batch when another product names one of them meanwhile. */
export function removeProducts(ctx: FieldAuthor, gone: readonly ProductFacts[]): Statement[] {
  const ids = sql`select value from json_each(${JSON.stringify(gone.map(({ id }) => id))})`;
  const owners = sql`select seq from products where id in (${ids})`;
  return [
    ...removeValues(ctx.fields.all.product.custom, owners),
    ...ctx.deps.deleteNaming("product", ids),
    ...gone.flatMap(({ id, company_id, version }) => [
      remove(products, { id, company_id, version }),
      guardChanged("product"),
    ]),
  ];
}

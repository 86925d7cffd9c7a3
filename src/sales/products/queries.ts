/** Reads of products. Every user of the company sees them. */
import { and, eq, sql as expression } from "drizzle-orm";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { drizzle, inList, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import type { Context } from "../../db/context.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { identifier, selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { z } from "zod";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { csvIntegers } from "../../http/zod.ts";
import { makeTestCondition } from "../../lists/conditions.ts";
import { searchSelection } from "../../lists/search.ts";
import { intersectSelections, type Selection } from "../../lists/selection.ts";
import { categoryJson } from "../categories/queries.ts";
import { presentProduct, Product, type ProductFacts, type ProductRow, products } from "./record.ts";

/** Select list over the alias `product`, for `readProductRow`. */
const productColumns = sql`${selectColumns(products, "product")},
  (select json_group_array(json_object(${categoryJson}) order by l.place) from products_in_categories l
    join product_categories c on c.id = l.category_id where l.product_id = product.id) as categories,
  (select json_group_array(r.related_id order by r.place) from related_products r
    where r.product_id = product.id) as related`;

export function readProductRow({ categories, related, ...row }: Row): ProductFacts {
  return {
    ...row as ProductRow,
    categories: JSON.parse(categories as string),
    related: JSON.parse(related as string),
  };
}

export const productList: List = {
  table: "products",
  alias: "product",
  columns: productColumns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  isCounted: true,
};

export const ProductPage = describePage(Product, "ProductPage");
export const ProductListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(productList.sorts),
  categories: csvIntegers.optional().meta({ description: "Only products of one of these categories." }),
});
type ProductListQuery = z.output<typeof ProductListQuery>;

export function listProducts(ctx: Context, query: ProductListQuery, asked: Paging): Promise<ListPage> {
  const words = searchSelection("products_search", `c${ctx.caller.companyId}z`, query.search);
  const selection = query.categories
    ? intersectSelections(words, selectByCategories(query.categories))
    : words;
  return readList(ctx, productList, { scope: makeCompanyScope(ctx.caller), paging: asked, selection });
}

/** The estimated share of the products of one category. */
const categoryPart = 0.05;

function selectByCategories(categories: readonly number[]): Selection {
  const ids = sql`select value from json_each(${JSON.stringify(categories)})`;
  const fraction = Math.min(1, categoryPart * categories.length);
  const condition = makeTestCondition(
    (own) =>
      sql`exists (select 1 from products_in_categories l where l.product_id = ${identifier(own, "id")}
        and l.category_id in (${ids}))`,
    fraction,
  );
  const path = {
    rowIds: sql`select p.seq as row from products_in_categories l join products p on p.id = l.product_id
      where l.category_id in (${ids})`,
    isDistinct: false,
    covers: [condition],
    inScope: false,
    read: fraction,
    found: fraction,
  };
  return { conditions: [condition], paths: () => [path] };
}

export async function getProduct(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectProductById(ctx.caller.companyId, id)]);
  return ok(presentProduct(requireProduct(found!), ctx.fields.seen));
}

/** The read of `requireProduct`. */
export function selectProductById(companyId: number, id: string): Statement {
  return sql`select ${productColumns} from products product where product.id = ${id} and product.company_id = ${companyId}`;
}

/** Throws 404 when the product does not exist. */
export function requireProduct(result: Result): ProductFacts {
  const row = result.rows[0];
  if (!row) throw notFound();
  return readProductRow(row);
}

/** Reads the products of the ids (a select), at most `limit`. */
export function selectProductsAmong(companyId: number, ids: Sql, limit: number): Statement {
  return sql`select ${productColumns} from products product where product.id in (${ids})
    and product.company_id = ${companyId} limit ${limit} + 0`;
}

/** Reads which of the products another product names. */
export function selectNamedProducts(ids: readonly string[]): Statement {
  return sql`select distinct related_id as id from related_products
    where related_id in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** Reads which of the categories have products. */
export function selectUsedCategories(ids: readonly number[]): Statement {
  return sql`select distinct category_id as id from products_in_categories
    where category_id in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** Reads which of the ids are products of the company. */
export const productIds = prepareQuery((companyId: Param<number>, ids: Param<readonly string[]>) =>
  drizzle.select({ id: products.id }).from(products)
    .where(and(inList(products.id, ids), eq(products.company_id, companyId)))
);

/** SQL: which of the ids (a JSON list) are products of the company, as a JSON list. */
export function selectProductIdsJson(companyId: Sql, ids: Sql): Sql {
  return sql`(select json_group_array(product.id) from products product
    where product.id in (select value from json_each(${ids})) and product.company_id = ${companyId})`;
}

/** Reads the columns of the company's products that an offer shows, and the currency of their prices. */
export const productsOffered = prepareQuery((companyId: Param<number>, ids: Param<readonly string[]>) => {
  const { id, name, type, list_price, version } = products;
  const currency = expression`(select c.currency from companies c where c.id = ${products.company_id})`.as(
    "currency",
  );
  return drizzle.select({ id, name, type, list_price, version, currency }).from(products)
    .where(and(inList(id, ids), eq(products.company_id, companyId)));
});

/** Reads of the categories of products. Every user of the company sees them. */
import { z } from "zod";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { composeRowMembers, selectColumns, sql } from "../../db/statements.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { Category, type CategoryRow, presentCategory, productCategories } from "./record.ts";

/** SQL: the members of a category `c`, as arguments of `json_object`. */
export const categoryJson = composeRowMembers(productCategories, "c");

const categoryColumns = selectColumns(productCategories, "category");
export const categoryList: List = {
  table: "product_categories",
  alias: "category",
  columns: categoryColumns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  isCounted: true,
};

export const CategoryPage = describePage(Category, "CategoryPage");
export const CategoryListQuery = z.object({ ...paging, ...sorting(categoryList.sorts) });

export function listCategories(ctx: Context, asked: Paging): Promise<ListPage> {
  return readList(ctx, categoryList, { scope: makeCompanyScope(ctx.caller), paging: asked });
}

export async function getCategory(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectCategoryById(ctx.caller.companyId, id)]);
  return ok(presentCategory(requireCategory(found!)));
}

/** The read of `requireCategory`. */
export function selectCategoryById(companyId: number, id: number): Statement {
  return selectCategoriesByIds(companyId, [id]);
}

/** Reads the categories of the ids that the company has. */
export function selectCategoriesByIds(companyId: number, ids: readonly number[]): Statement {
  return sql`select ${categoryColumns} from product_categories category
    where category.id in (select value from json_each(${JSON.stringify(ids)}))
    and category.company_id = ${companyId}`;
}

/** Reads the company's categories, the oldest first. Their number is limited. */
export function selectAllCategories(companyId: number): Statement {
  return sql`select ${categoryColumns} from product_categories category
    where category.company_id = ${companyId} order by category.created_at, category.id`;
}

/** Throws 404 when the category does not exist. */
export function requireCategory(result: Result): CategoryRow {
  const row = result.rows[0];
  if (!row) throw notFound();
  return row as CategoryRow;
}

import { makeInitial } from "../../records/members.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, remove, selectLastId, type Sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { type CategoryBody, categoryMembers, type CategoryRow, productCategories } from "./record.ts";

/** Removes a category, unless it has changed since it was read. */
export function removeCategory({ id, company_id, version }: CategoryRow): Statement[] {
  return [remove(productCategories, { id, company_id, version }), guardChanged("category")];
}

/** A category that is to be made. */
export type NewCategory = Omit<CategoryRow, "id" | "version">;

export function makeCategory(company_id: number, at: string, body: CategoryBody): NewCategory {
  return { ...makeInitial(categoryMembers, body), company_id, created_at: at, updated_at: at };
}

/** Inserts a category, unless the company has as many as it may. */
export function insertCategory(category: NewCategory): Statement[] {
  return [
    guardNumber("product_categories", category.company_id),
    insert(productCategories, category),
  ];
}

/** SQL: the id of the category that the batch inserted last. */
export const newestCategory: Sql = selectLastId(productCategories);

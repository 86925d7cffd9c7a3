import { remove } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { type CategoryRow, productCategories } from "./record.ts";

/** Removes a category, unless it has changed since it was read. */
export function removeCategory({ id, company_id, version }: CategoryRow): Statement[] {
  return [remove(productCategories, { id, company_id, version }), guardChanged("category")];
}

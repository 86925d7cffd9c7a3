/** What a stored filter names, and what happens to it when that is removed. See `uses.ts`. */
import { type Declared, stop } from "../../db/references.ts";

/** Why the deletion of a record stops a filter, as the end of a sentence. */
export const filterReasons = {
  category: "its filter names a deleted category",
  team: "its filter names a deleted team",
  user: "its filter names a deleted user",
} as const;

/** They call `StopFilters`. */
const by = {
  field: "customers/fields/delete.ts#deleteField",
  option: "customers/fields/options.ts#deleteOption",
  category: "sales/products/delete_category.ts#deleteCategory",
  team: "customers/fields/deletion_filters.ts#teamFilters",
  user: "customers/fields/deletion_filters.ts#userFilters",
} as const;

/**
 * The filter stops where it would match others. A deleted record without a successor leaves the values of records, so
 * that the filter means the same.
 */
export const storedFilter = {
  field: stop("the field was deleted or has another type", by.field),
  option: stop("the option was deleted", by.option),
  category: stop(filterReasons.category, by.category),
  team: stop(filterReasons.team, by.team),
  user: [stop(filterReasons.user, by.user), "keep"],
  lead_type: "keep",
  relations_path: "keep",
  activity_type: "keep",
} satisfies Declared;

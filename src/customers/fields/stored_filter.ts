/** What a stored filter names, and what happens to it when that is deleted; `stop_filters.ts` stops it. */
import { type Declared, type Deleted, stop } from "../../db/references.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { namesRecord } from "./stop_filters.ts";

/** Why the deletion of a record stops a filter, as the end of a sentence. */
export const filterReasons = {
  category: "its filter names a deleted category",
  team: "its filter names a deleted team",
  user: "its filter names a deleted user",
} as const;

/**
 * The filter stops where it would match others. A deleted record without a successor leaves the values of records, so
 * that the filter means the same. `filter`: SQL of all that holds conditions; default: its column.
 */
export function declareFilter(filter: Sql = sql`filter`) {
  const names = (field: string) => ({
    rows: (id: Deleted["id"]) => namesRecord(field, sql`select ${id}`)(filter),
  });
  return {
    field: stop("the field was deleted or has another type", {
      by: "customers/fields/delete.ts#deleteField",
    }),
    option: stop("the option was deleted", { by: "customers/fields/options.ts#deleteOption" }),
    category: stop(filterReasons.category, { by: "sales/products/delete_category.ts#deleteCategory" }),
    team: stop(filterReasons.team, names("team_id")),
    user: [stop(filterReasons.user, names("user_id")), "keep"],
    lead_type: "keep",
    relations_path: "keep",
    activity_type: "keep",
  } satisfies Declared;
}

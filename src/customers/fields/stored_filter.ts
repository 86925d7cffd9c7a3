/** What a stored filter names, and what happens to it when that is removed. See `uses.ts`. */
import { type Declared, stop } from "../../db/references.ts";

/** Why the deletion of a record stops a filter, as the end of a sentence. */
export const filterReasons = {
  category: "its filter names a deleted category",
  team: "its filter names a deleted team",
  user: "its filter names a deleted user",
} as const;

/**
 * The filter stops where it would match others. A deleted record without a successor leaves the values of records, so
 * that the filter means the same.
 */
export const storedFilter = {
  field: stop("the field was deleted or has another type"),
  option: stop("the option was deleted"),
  category: stop(filterReasons.category),
  team: stop(filterReasons.team),
  user: [stop(filterReasons.user), "keep"],
  lead_type: "keep",
  relations_path: "keep",
  activity_type: "keep",
} satisfies Declared;

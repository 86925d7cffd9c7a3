/** What a stored filter names, and what happens to it when that is removed. See `uses.ts`. */
import { type Declared, stop } from "../../db/references.ts";

/**
 * The filter stops where it would match others. A deleted record without a successor leaves the values of records, so
 * that the filter means the same.
 */
export const storedFilter: Declared = {
  field: stop("the field was deleted or has another type"),
  option: stop("the option was deleted"),
  category: stop("its filter names a deleted category"),
  team: stop("its filter names a deleted team"),
  user: [stop("its filter names a deleted user"), "keep"],
  lead_type: "keep",
  relations_path: "keep",
  activity_type: "keep",
};

/** Triggers of correspondences: their number in each case. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const correspondenceTriggers: readonly SchemaObject[] = totalTriggers({
  table: "correspondences",
  // The counters have the case in their column `status`.
  byStatus: "case_id",
});

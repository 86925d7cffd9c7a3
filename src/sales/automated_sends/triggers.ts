/** Triggers of the automated communications of cases: a counter for each case. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const automatedSendTriggers: readonly SchemaObject[] = totalTriggers({
  table: "automated_sends",
  byStatus: "case_id",
});

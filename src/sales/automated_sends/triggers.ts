/** Triggers of the automated communications of cases: a counter for each case. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const automatedSendTriggers: readonly SchemaObject[] = makeTotalTriggers({
  table: "automated_sends",
  byStatus: "case_id",
});

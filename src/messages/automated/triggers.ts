/** Triggers of automated communications, which belong to a team, a group or the company. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const automatedTriggers: readonly SchemaObject[] = makeTotalTriggers({
  table: "automated_communications",
  byStatus: "reader",
  columns: ["team_id", "group_id", "kept_for"],
});

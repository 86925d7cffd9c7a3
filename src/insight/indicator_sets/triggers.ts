/** Triggers of indicator sets, which belong to their maker, a team, a group or the company. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const indicatorSetTriggers: readonly SchemaObject[] = makeTotalTriggers({
  table: "indicator_sets",
  byStatus: "reader",
  columns: ["team_id", "group_id", "kept_for", "private", "user_id"],
});

/** Triggers of ranks, which belong to a team or the company. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const rankTriggers: readonly SchemaObject[] = totalTriggers({
  table: "ranks",
  byStatus: "reader",
  columns: ["team_id", "group_id", "kept_for"],
});

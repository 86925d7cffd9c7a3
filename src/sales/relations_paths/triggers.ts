/** Triggers of relations paths, which belong to a team, a group or the company. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const pathTriggers: readonly SchemaObject[] = totalTriggers({
  table: "relations_paths",
  byStatus: "reader",
  columns: ["team_id", "group_id", "kept_for"],
});

/** Triggers of relations paths, which belong to a team, a group or the company. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const pathTriggers: readonly SchemaObject[] = makeTotalTriggers({
  table: "relations_paths",
  byStatus: "reader",
  columns: ["team_id", "group_id", "kept_for"],
});

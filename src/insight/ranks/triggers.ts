/** Triggers of ranks, which belong to a team or the company. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const rankTriggers: readonly SchemaObject[] = makeTotalTriggers({
  table: "ranks",
  byStatus: "reader",
  columns: ["team_id", "group_id", "kept_for"],
});

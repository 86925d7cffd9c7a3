/** Triggers of lead types. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const leadTypeTriggers: readonly SchemaObject[] = totalTriggers({
  table: "lead_types",
  byTeam: true,
  columns: ["team_id"],
});

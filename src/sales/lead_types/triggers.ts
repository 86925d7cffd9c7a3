/** Triggers of lead types. */
import { makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const leadTypeTriggers: readonly SchemaObject[] = makeTotalTriggers({
  table: "lead_types",
  byTeam: true,
  columns: ["team_id"],
});

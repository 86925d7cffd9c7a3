/** Triggers of leads. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const leadTriggers: readonly SchemaObject[] = totalTriggers({
  table: "leads",
  byTeam: true,
  byStatus: "status",
  byAgency: "agency_team_id",
  only: "#.hidden = 0",
  columns: ["team_id", "status", "agency_team_id", "hidden"],
});

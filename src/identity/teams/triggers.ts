/** Triggers of teams and their members. */
import { callerTriggers, type SchemaObject, totalTriggers, wordIndex } from "../../db/triggers.ts";

export const teamTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "teams" }),
  ...wordIndex("teams", "id"),
  ...callerTriggers("teams"),
  ...callerTriggers("team_members"),
];

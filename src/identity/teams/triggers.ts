/** Triggers of teams and their members. */
import {
  makeCallerTriggers,
  makeTotalTriggers,
  makeWordIndex,
  type SchemaObject,
} from "../../db/triggers.ts";

export const teamTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "teams" }),
  ...makeWordIndex("teams", "id"),
  ...makeCallerTriggers("teams"),
  ...makeCallerTriggers("team_members"),
];

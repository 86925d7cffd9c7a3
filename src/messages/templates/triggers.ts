/** Triggers of templates, which belong to a team, a group or the company. */
import { makeTotalTriggers, makeWordIndex, type SchemaObject } from "../../db/triggers.ts";

export const templateTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({
    table: "templates",
    byStatus: "reader",
    columns: ["team_id", "group_id", "kept_for"],
  }),
  ...makeWordIndex("templates", "id"),
];

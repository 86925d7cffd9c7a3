/** Triggers of templates, which belong to a team, a group or the company. */
import { type SchemaObject, totalTriggers, wordIndex } from "../../db/triggers.ts";

export const templateTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "templates", byStatus: "reader", columns: ["team_id", "group_id", "kept_for"] }),
  ...wordIndex("templates", "id"),
];

/** Triggers of groups. */
import { callerTriggers, type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const groupTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "groups" }),
  ...callerTriggers("groups"),
];

/** Triggers of groups. */
import { makeCallerTriggers, makeTotalTriggers, type SchemaObject } from "../../db/triggers.ts";

export const groupTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "groups" }),
  ...makeCallerTriggers("groups"),
];

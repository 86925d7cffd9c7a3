/** Triggers of users. */
import { callerTriggers, type SchemaObject, totalTriggers, wordIndex } from "../../db/triggers.ts";

export const userTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "users", only: "#.deleted_at is null", columns: ["deleted_at"] }),
  ...wordIndex("users", "id"),
  ...callerTriggers("users"),
];

/** Triggers of users. */
import {
  makeCallerTriggers,
  makeTotalTriggers,
  makeWordIndex,
  type SchemaObject,
} from "../../db/triggers.ts";

export const userTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "users", only: "#.deleted_at is null", columns: ["deleted_at"] }),
  ...makeWordIndex("users", "id"),
  ...makeCallerTriggers("users"),
];

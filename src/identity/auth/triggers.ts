/** Triggers of access tokens. None for inserts: a new token does not change a cached caller. */
import { makeCallerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const tokenTriggers: readonly SchemaObject[] = makeCallerTriggers("access_tokens", [
  "update",
  "delete",
]);

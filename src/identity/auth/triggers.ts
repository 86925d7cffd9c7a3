/** Triggers of access tokens. None for inserts: a new token does not change a cached caller. */
import { callerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const tokenTriggers: readonly SchemaObject[] = callerTriggers("access_tokens", ["update", "delete"]);

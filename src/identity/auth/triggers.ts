/** Triggers of access tokens. A new token changes no cached caller. */
import { callerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const tokenTriggers: readonly SchemaObject[] = callerTriggers("access_tokens", ["update", "delete"]);

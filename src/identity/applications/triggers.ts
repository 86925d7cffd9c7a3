/** Triggers of client applications. */
import { makeCallerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const applicationTriggers: readonly SchemaObject[] = makeCallerTriggers("applications");

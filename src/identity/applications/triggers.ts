/** Triggers of client applications. */
import { callerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const applicationTriggers: readonly SchemaObject[] = callerTriggers("applications");

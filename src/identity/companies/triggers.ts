/** Triggers of companies. */
import { makeCallerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const companyTriggers: readonly SchemaObject[] = makeCallerTriggers("companies");

/** Triggers of companies. */
import { callerTriggers, type SchemaObject } from "../../db/triggers.ts";

export const companyTriggers: readonly SchemaObject[] = callerTriggers("companies");

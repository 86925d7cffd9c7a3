/** Triggers of scheduled reports. */
import { type SchemaObject, totalTriggers } from "../../db/triggers.ts";

export const scheduledReportTriggers: readonly SchemaObject[] = totalTriggers({ table: "scheduled_reports" });

import { blockersOf } from "../../db/blockers.ts";
import { scheduledReportReferences } from "./record.ts";

/** Scheduled reports that name an indicator set, which then cannot be deleted. */
export const reportsOfSet = blockersOf([scheduledReportReferences], "indicator_set");

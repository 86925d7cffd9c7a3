import { sql } from "../../db/statements.ts";
import type { SetUse } from "../indicator_sets/uses.ts";

/** Scheduled reports refer to an indicator set, which then cannot be deleted. */
export const scheduledReportUse: SetUse = {
  type: "scheduled_reports",
  attribute: "indicator_set_id",
  rows: (id) => sql`scheduled_reports s where s.indicator_set_id = ${id}`,
};

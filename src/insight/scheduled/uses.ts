import { sql } from "../../db/statements.ts";
import type { SetUse } from "../indicator_sets/uses.ts";

/** Scheduled reports keep the indicator set that they name. */
export const scheduledReportUse: SetUse = {
  type: "scheduled_reports",
  attribute: "indicator_set_id",
  rows: (id) => sql`scheduled_reports s where s.indicator_set_id = ${id}`,
};

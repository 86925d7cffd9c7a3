/** What notifications show of a scheduled report. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectScheduleNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', s.id, 'name', s.name) from scheduled_reports s
    where s.id = ${id} and s.company_id = ${company}`;

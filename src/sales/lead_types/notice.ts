/** What notifications show of a lead type. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectLeadTypeNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', t.id, 'name', t.name) from lead_types t
    where t.id = ${id} and t.company_id = ${company}`;

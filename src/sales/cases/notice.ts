/** What notifications show of a case. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectCaseNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', c.id, 'case_number', c.case_number, 'relations_path_name', p.name)
    from cases c left join relations_paths p on p.id = c.relations_path_id
    where c.id = ${id} and c.company_id = ${company}`;

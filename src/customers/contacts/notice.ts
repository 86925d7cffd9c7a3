/** What notifications store of a contact: its name is read when they are shown, since people can be deleted. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectContactNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', c.id) from contacts c
    where c.id = ${id} and c.company_id = ${company}`;

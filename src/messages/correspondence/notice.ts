/** What notifications store of an e-mail: its subject is read when they are shown, since people can be deleted. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectEmailNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', m.id) from correspondences m
    where m.id = ${id} and m.company_id = ${company}`;

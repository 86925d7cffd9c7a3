/** What notifications show of a campaign. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectCampaignNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', c.id, 'name', c.name, 'type', c.type) from campaigns c
    where c.id = ${id} and c.company_id = ${company}`;

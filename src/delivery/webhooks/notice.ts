/** What notifications show of a subscription. */
import type { ShownRecord } from "../../db/shown_records.ts";
import { sql } from "../../db/statements.ts";

export const selectWebhookNotice: ShownRecord = (id, company) =>
  sql`select json_object('id', w.id, 'target_url', w.target_url) from webhooks w
    where w.id = ${id} and w.company_id = ${company}`;

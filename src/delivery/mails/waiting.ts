/** Mails that wait to be sent, for the metrics. */
import { isSendable } from "../../db/mails.ts";
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Reads `n`, and `due`: when the first of them was due, epoch milliseconds. Those of a deleted company do not count. */
export const waitingMails: Statement = sql`select count(*) as n, min(due_at) as due from mails
  where status = 'pending' and ${isSendable(sql`company_id`)}`;

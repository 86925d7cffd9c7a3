/** What is reported about sent messages of campaigns. */
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Records the first time that a message was opened. Nobody is notified. */
export function messageOpened(id: number, at: string): Statement {
  return sql`update campaign_messages set opened_at = ${at}, updated_at = ${at}
    where id = ${id} and status = 'sent' and opened_at is null`;
}

/** Marks a sent message that its mail server could not deliver. `total_sent` counts what the server took. */
export function messageFailed(id: number, reason: string, at: string): Statement {
  return sql`update campaign_messages set status = 'failed', error = ${reason}, updated_at = ${at}
    where id = ${id} and status = 'sent'`;
}

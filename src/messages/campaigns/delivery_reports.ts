/** Records reports about sent messages of campaigns: opened, or not delivered. */
import { formatTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";

/**
 * Records the first time that a message was opened. Notifies no user. Later calls only read, because mail
 * programs fetch the picture each time, and a write has to wait for its turn.
 */
export async function recordMessageOpening(
  { db, clock }: Pick<Deps, "db" | "clock">,
  id: number,
): Promise<void> {
  const unopened = sql`id = ${id} and status = 'sent' and opened_at is null`;
  const [found] = await db.read([sql`select 1 from campaign_messages where ${unopened}`]);
  if (found!.rows.length === 0) return;
  const at = formatTimestamp(clock.now());
  await db.write([
    sql`update campaign_messages set opened_at = ${at}, updated_at = ${at} where ${unopened}`,
  ]);
}

/** Reads the company and the address that a message was sent to. */
export function selectRecipientOfMessage(id: number): Statement {
  return sql`select company_id, email from campaign_messages where id = ${id}`;
}

/**
 * Marks a sent message as failed when its mail server could not deliver it. `total_sent` still counts it,
 * because the server accepted it.
 */
export function failMessage(id: number, reason: string, at: string): Statement {
  return sql`update campaign_messages set status = 'failed', error = ${reason}, updated_at = ${at}
    where id = ${id} and status = 'sent'`;
}

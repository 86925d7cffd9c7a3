/**
 * Stops approved campaigns when something that they name is deleted, so that none of them reaches more contacts than
 * it was approved for: one that waits becomes a draft again, one that is being sent ends.
 */
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import type { Stopping } from "../../db/stops.ts";
import { notifyMakers } from "../../identity/notify_makers.ts";
import type { Author } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { namesPlaceholder } from "../../customers/fields/placeholders.ts";
import { endAllSending } from "./stop.ts";

/**
 * Stops the approved campaigns among `rows` (SQL over their columns), and notifies their users and the admins.
 * `why`: the rest of the sentence "waits for approval again, because …".
 */
export function stopApproved(
  author: Author,
  companyId: number,
  rows: Sql,
  why: string,
): Statement[] {
  // While the recipients are written, none was sent a message yet.
  const waiting = sql`company_id = ${companyId} and status = 'pending'
    and (stage is null or stage = 'recipients') and ${rows}`;
  const sending = sql`company_id = ${companyId} and stage = 'sending' and ${rows}`;
  const notify = (rows: Sql, message: string) =>
    notifyMakers(author, companyId, { table: "campaigns", maker: "user_id", rows, message });
  return [
    notify(waiting, `waits for approval again, because ${why}.`),
    notify(sending, `was stopped while it was sent, because ${why}.`),
    sql`delete from campaign_messages where campaign_id in (select id from campaigns
      where ${waiting} and stage = 'recipients')`,
    sql`update campaigns set status = 'draft', stage = null, snapshot = null,
      stopped_reason = ${waitsAgain(why)}, updated_at = ${author.at}, version = version + 1 where ${waiting}`,
    ...endAllSending(author, sending, `It was stopped while it was sent, because ${why}.`),
  ];
}

/** The reason of a draft that was approved. */
export function waitsAgain(why: string): string {
  return `It waits for approval again, because ${why}.`;
}

/** Stops the campaigns before they go to the successor of a team, whose customers are others. */
export const campaignStops: Stopping = { table: "campaigns", stop: stopApproved };

/** Stops the campaigns whose filters, texts or templates name something whose meaning ends. */
export const stopCampaignsNaming: StopFilters = (author, companyId, names, why, placeholder) => {
  const isFiltered = names(sql`filter`);
  if (placeholder === undefined) return stopApproved(author, companyId, isFiltered, why);
  const holds = (text: Sql) => namesPlaceholder(text, sql`${placeholder}`);
  const rows = sql`(${isFiltered} or ${holds(sql`subject`)} or ${holds(sql`content`)} or template_id in
    (select t.id from templates t where t.company_id = ${companyId} and ${holds(sql`t.content`)}))`;
  return stopApproved(author, companyId, rows, why);
};

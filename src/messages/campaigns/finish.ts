/** Ends campaigns whose messages are all sent, failed or skipped, or wait for another attempt. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, type Row, type Statement } from "../../platform/database/database.ts";
import type { CampaignRow } from "./record.ts";

/**
 * Marks campaigns as sent at `now` (epoch milliseconds) when each message was tried, and notifies their
 * users.
 */
export async function finishCampaigns(deps: Deps, now: number): Promise<void> {
  const author = { deps, now, at: formatTimestamp(now) };
  const [done] = await deps.db.read([
    sql`select id, company_id, user_id from campaigns indexed by campaigns_sending where stage = 'sending'
      and type <> 'telephone' and status = 'pending' and ${isTried}`,
  ]);
  for (const campaign of done!.rows as (Ended & Row)[]) await finishCampaign(author, campaign);
  await deps.db.write([
    sql`update campaigns set stage = null where stage = 'sending' and status = 'sent' and type <> 'telephone'
      and not exists (select 1 from campaign_messages m where m.campaign_id = campaigns.id
      and m.status = 'pending')`,
  ]);
}

export type Ended = Pick<CampaignRow, "id" | "company_id" | "user_id">;

/** SQL: whether each message of a campaign was tried at least once. */
const isTried = sql`not exists (select 1 from campaign_messages m indexed by campaign_messages_untried
  where m.campaign_id = campaigns.id and m.status = 'pending' and m.error is null)`;

async function finishCampaign(author: Author, campaign: Ended): Promise<void> {
  try {
    await commit(author, {
      companyId: campaign.company_id,
      statements: endStatements(author, campaign, sql`stage = 'sending' and ${isTried}`),
      notifications: [draftSentNotification(campaign)],
      answer: noContent,
    });
  } catch (error) {
    // Another process has ended it, or it was stopped.
    if (!(error instanceof Stale)) throw error;
  }
}

/** Makes a campaign `sent`, if the condition still holds. */
export function endStatements({ at }: Pick<Author, "at">, { id }: Ended, condition: Statement): Statement[] {
  return [
    sql`update campaigns set status = 'sent', sent_at = ${at}, updated_at = ${at}, version = version + 1
      where id = ${id} and status = 'pending' and ${condition}`,
    guardChanged("campaign"),
  ];
}

/** Notifies the user of a campaign that it was sent. */
export function draftSentNotification({ id, user_id }: Ended) {
  return { type: "campaign_sent", to: [{ users: [user_id] }], data: { campaign: { id } } } as const;
}

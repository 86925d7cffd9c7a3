/** Campaigns that wait during a hold. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { runInSteps } from "../../db/expiry.ts";
import { type HeldKind, isOverdue } from "../../db/hold.ts";
import { literal, selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { draftSentNotification } from "./finish.ts";
import { returnToDraft } from "./start.ts";
import { stopStatements } from "./stop.ts";
import { type CampaignRow, campaigns } from "./record.ts";

/** Campaigns of one step. */
const most = 50;

/** Messages of one step. */
const stepMessages = 1_000;

const dropped = "What was due before a restore was left out.";

/**
 * A campaign that has not begun becomes a draft again, and one whose recipients are being written is stopped. Of one
 * that is being sent the messages are skipped that were due; those that are tried again later stay. Campaigns by
 * telephone make tasks and send nothing, so none of them is dropped.
 */
export const heldCampaigns: HeldKind = {
  queue: "campaigns",
  waiting: (now) =>
    sql`select count(*) as n, min(send_at) as oldest from campaigns
      where (status = 'pending' or stage is not null) and send_at <= ${formatTimestamp(now)}`,
  async drop(author, before) {
    const [found] = await author.deps.db.read([
      sql`select id from campaigns where type <> 'telephone' and send_at <= ${formatTimestamp(before)}
        and (stage = 'recipients' or (stage is null and status = 'pending')
          or (stage = 'sending' and exists (${selectWaiting(sql`campaigns.id`, before)})))
        order by send_at limit ${literal(most)}`,
    ]);
    let number = 0;
    for (const { id } of found!.rows) number += await retrying(() => drop(author, String(id), before));
    return number;
  },
};

/** Returns 1 if it dropped the campaign or messages of it. */
async function drop(author: Author, id: string, before: number): Promise<number> {
  const { db } = author.deps;
  const [found] = await db.read([
    sql`select ${selectColumns(campaigns, "c")} from campaigns c where id = ${id}`,
  ]);
  const campaign = found!.rows[0] as (Row & CampaignRow) | undefined;
  if (!campaign) return 0;
  if (campaign.stage === "sending") return await skipDue(author, id, before);
  if (campaign.stage === null) {
    if (campaign.status !== "pending") return 0;
    await returnToDraft(author, campaign, "it was due before a restore");
    return 1;
  }
  await commit(author, {
    companyId: campaign.company_id,
    statements: stopStatements(author, campaign, dropped),
    notifications: [draftSentNotification(campaign)],
    answer: noContent,
  });
  return 1;
}

/** Skips the messages that were due. The campaign ends by itself when none is left to try. */
async function skipDue({ deps: { db }, at }: Author, id: string, before: number): Promise<number> {
  const skipped = await runInSteps(db, [
    sql`update campaign_messages set status = 'skipped', error = 'stopped', updated_at = ${at}
      where id in (${selectWaiting(sql`${id}`, before)} limit ${literal(stepMessages)})`,
  ], stepMessages);
  await db.write([sql`update campaigns set stopped_reason = ${dropped} where id = ${id}`]);
  return skipped > 0 ? 1 : 0;
}

/** SQL: the messages of the campaign that were due. */
function selectWaiting(id: Sql, before: number): Sql {
  return sql`select id from campaign_messages where campaign_id = ${id} and status = 'pending'
    and ${isOverdue(before)}`;
}

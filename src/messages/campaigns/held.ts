/** Campaigns that wait during a hold. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit, retrying } from "../../db/commit.ts";
import type { HeldKind } from "../../db/hold.ts";
import { columnsOf, literal, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { sentNotification } from "./finish.ts";
import { backToDraft } from "./start.ts";
import { stopStatements } from "./stop.ts";
import { type CampaignRow, campaigns } from "./table.ts";

/** Campaigns of one step. */
const most = 50;

/**
 * A campaign that has not begun becomes a draft again, and one that has begun is stopped. Campaigns by telephone
 * make tasks and send nothing, so none of them is dropped.
 */
export const heldCampaigns: HeldKind = {
  name: "campaigns",
  waiting: (now) =>
    sql`select count(*) as n, min(send_at) as oldest from campaigns
      where ${waits} and send_at <= ${formatTimestamp(now)}`,
  async drop(author, before) {
    const [found] = await author.deps.db.read([
      sql`select id from campaigns where ${waits} and type <> 'telephone'
        and send_at <= ${formatTimestamp(before)} order by send_at limit ${literal(most)}`,
    ]);
    for (const { id } of found!.rows) {
      await retrying(async () => {
        const [again] = await author.deps.db.read([
          sql`select ${columnsOf(campaigns, "c")} from campaigns c where id = ${String(id)}`,
        ]);
        const campaign = again!.rows[0] as (Row & CampaignRow) | undefined;
        if (!campaign) return;
        if (campaign.stage === null) {
          if (campaign.status !== "pending") return;
          return await backToDraft(author, campaign, "it was due before a restore");
        }
        await commit(author, {
          companyId: campaign.company_id,
          statements: stopStatements(author, campaign),
          notifications: campaign.status === "sent" ? [] : [sentNotification(campaign)],
          answer: noContent,
        });
      });
    }
    return found!.rows.length;
  },
};

const waits = sql`(status = 'pending' or stage is not null)`;

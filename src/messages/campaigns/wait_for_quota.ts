/** Lets a letter wait while the files of its company have no room for it. */
import { noContent } from "../../core/answer.ts";
import { planRetry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { type ClaimedMessage, isStillClaimed } from "./claim.ts";
import { draftNotice, selectAdmins } from "./may_send.ts";
import type { CampaignRow } from "./record.ts";

/** The error of a letter that waits for room. */
export const quotaReached = "The files of the company leave no room for the letter (FILE_QUOTA).";

/**
 * Makes the letter due again later, however often: none is given up. When the first of a campaign waits, its user and
 * the admins are notified.
 */
export async function waitForQuota(
  deps: Deps,
  { id, company_id, user_id, name }: CampaignRow,
  letter: ClaimedMessage,
  now: number,
): Promise<void> {
  const [others, admins] = await deps.db.read([
    sql`select exists (select 1 from campaign_messages where campaign_id = ${id} and status = 'pending'
      and error = ${quotaReached}) as wait`,
    selectAdmins(company_id),
  ]);
  const message = `Letters of the campaign ${name} wait: ${quotaReached} They are made once there is room.`;
  deps.log.error({ event: "letters_without_room", campaign: id });
  await commit({ deps, now, at: formatTimestamp(now) }, {
    companyId: company_id,
    statements: [
      sql`update campaign_messages set due_at
        = ${planRetry(letter.attempts, { now: () => now }, { most: Infinity })!.due}, error = ${quotaReached}
        where ${isStillClaimed(letter)}`,
    ],
    notifications: others!.rows[0]!.wait === 1 ? [] : [draftNotice(user_id, admins!.rows, message)],
    answer: noContent,
  });
}

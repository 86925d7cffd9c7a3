/** Ends the sending of a campaign whose user may not send any more. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { draftNotice, selectAdmins } from "./may_send.ts";
import { stopStatements } from "./stop.ts";
import type { CampaignRow } from "./record.ts";

/** Why the campaign was stopped. */
export const unpermitted = "Its user may not send it any more.";

/** The notification of a campaign that was stopped. */
export function explainStop(name: string): string {
  return `The campaign ${name} was stopped while it was sent: its user may not send it any more.`;
}

/** Skips the messages that wait, and notifies the campaign's user and the admins. `now`: epoch milliseconds. */
export async function stopUnpermitted(deps: Deps, campaign: CampaignRow, now: number): Promise<void> {
  const author = { deps, now, at: formatTimestamp(now) };
  const { company_id, user_id, name } = campaign;
  const [admins] = await deps.db.read([selectAdmins(company_id)]);
  const message = explainStop(name);
  try {
    await commit(author, {
      companyId: company_id,
      statements: stopStatements(author, campaign, unpermitted),
      notifications: [draftNotice(user_id, admins!.rows, message)],
      answer: noContent,
    });
  } catch (error) {
    // Another sender has stopped it, or it has changed: the next batch judges it again.
    if (!(error instanceof Stale)) throw error;
  }
}

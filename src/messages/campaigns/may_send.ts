/** Whether a campaign may still be sent, and the notification when it may not. */
import type { Member } from "../../core/access.ts";
import { readMemberRow, selectMemberJson } from "../../db/caller_guard.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { factsOfOwner, mayOwn } from "../../identity/owners.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { CampaignRow } from "./record.ts";

/** SQL: the columns of an alias `o` of campaigns that `maySend` reads. */
export const sendingColumns: Sql = sql`${selectMemberJson(sql`o.approved_by`)} as approver, ${factsOfOwner}`;

/** A row with `sendingColumns`. */
export type Sending =
  & Row
  & Pick<CampaignRow, "team_id" | "group_id" | "kept_for" | "approved_by">
  & { readonly approver: string | null };

/**
 * Whether the campaign's user may still write where it belongs, and may still send, or has the approval of
 * somebody who may. Campaigns that an earlier version approved keep their approval.
 */
export function maySend(campaign: Sending, user: Member): boolean {
  if (!mayOwn(user, campaign, campaign)) return false;
  const approver = campaign.approver === null ? null : readMemberRow(JSON.parse(campaign.approver) as Row);
  return campaign.approved_by === null || user.rights.has("campaigns.send") ||
    approver?.rights.has("campaigns.send") === true;
}

/** Reads the admins, for `draftNotice`. */
export function selectAdmins(companyId: number): Statement {
  return sql`select id from users where company_id = ${companyId} and user_type = 1 and deleted_at is null`;
}

/** The notification of a campaign's user and the admins. */
export function draftNotice(userId: number, admins: readonly Row[], message: string): NotificationDraft {
  return {
    type: "custom",
    to: [{ users: [userId, ...admins.map(({ id }) => Number(id))] }],
    data: { user: null },
    message,
  };
}

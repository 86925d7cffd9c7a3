/** Recipients of lead notifications. */
import type { NotificationDraft } from "../../db/notifications.ts";
import type { Lead } from "./record.ts";

/** Notifies the user of the lead, else its whole team. None without a team. */
export function assignedNotifications(lead: Lead): NotificationDraft[] {
  const { team_id, user_id } = lead.row;
  if (team_id === null) return [];
  const to = user_id === null ? { teams: [team_id] } : { users: [user_id] };
  return [{ type: "lead_assigned", to: [to], data: idsOf(lead) }];
}

/** Notifies the users that the lead type names, and the agency users of the lead. */
export function escalatedNotification(lead: Lead): NotificationDraft {
  const to = [{ users: lead.type.record.escalation_user_ids }, { agencyOf: lead.row.agency_team_id }];
  return { type: "lead_escalated", to, data: idsOf(lead) };
}

/** Notifies the team and the agency users of the lead. */
export function revokedNotification(lead: Lead): NotificationDraft {
  const { team_id, agency_team_id } = lead.row;
  const to = [{ teams: team_id === null ? [] : [team_id] }, { agencyOf: agency_team_id }];
  return { type: "lead_revoked", to, data: idsOf(lead) };
}

/** Notifies the agency users of the lead. */
export function acceptedNotifications(lead: Lead, caseId: string): NotificationDraft[] {
  const data = { ...idsOf(lead), case: { id: caseId } };
  return [{ type: "lead_accepted", to: [{ agencyOf: lead.row.agency_team_id }], data }];
}

/** Merges the notifications of one type to the same recipients into one. */
export function merged(notifications: readonly NotificationDraft[]): NotificationDraft[] {
  const alike = Map.groupBy(notifications, ({ type, to }) => JSON.stringify([type, to]));
  return [...alike.values()].map(([first, ...others]) =>
    ({ ...first!, more: others.map(({ data }) => data) }) as NotificationDraft
  );
}

function idsOf({ row }: Lead) {
  return { lead: { id: row.id }, lead_type: { id: row.lead_type_id } };
}

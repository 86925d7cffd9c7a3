/** Whom the moves of a lead are told to. */
import type { NotificationDraft } from "../../db/notifications.ts";
import type { Lead } from "./record.ts";

/** The user that the lead is for; else all of its team. None without a team. */
export function assignedNotifications(lead: Lead): NotificationDraft[] {
  const { team_id, user_id } = lead.row;
  if (team_id === null) return [];
  const to = user_id === null ? { teams: [team_id] } : { users: [user_id] };
  return [{ type: "lead_assigned", to: [to], data: named(lead) }];
}

/** Those whom the lead's type names for it, and the agency users who look after it. */
export function escalatedNotification(lead: Lead): NotificationDraft {
  const to = [{ users: lead.type.record.escalation_user_ids }, { agencyOf: lead.row.agency_team_id }];
  return { type: "lead_escalated", to, data: named(lead) };
}

/** The team, and the agency users who look after the lead. */
export function revokedNotification(lead: Lead): NotificationDraft {
  const { team_id, agency_team_id } = lead.row;
  const to = [{ teams: team_id === null ? [] : [team_id] }, { agencyOf: agency_team_id }];
  return { type: "lead_revoked", to, data: named(lead) };
}

/** The agency users who look after the lead. */
export function acceptedNotifications(lead: Lead, caseId: string): NotificationDraft[] {
  const data = { ...named(lead), case: { id: caseId } };
  return [{ type: "lead_accepted", to: [{ agencyOf: lead.row.agency_team_id }], data }];
}

/** The same notices in fewer: those of one kind to the same people as one. */
export function together(notices: readonly NotificationDraft[]): NotificationDraft[] {
  const alike = Map.groupBy(notices, ({ type, to }) => JSON.stringify([type, to]));
  return [...alike.values()].map(([first, ...others]) =>
    ({ ...first!, more: others.map(({ data }) => data) }) as NotificationDraft
  );
}

function named({ row }: Lead) {
  return { lead: { id: row.id }, lead_type: { id: row.lead_type_id } };
}

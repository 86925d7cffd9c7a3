import type { LeadTypeRecord, LeadTypeRow } from "./record.ts";

/** Returns the row of a lead type. */
export function makeLeadTypeRow({ relations_paths: _, ...type }: LeadTypeRecord): LeadTypeRow {
  return {
    ...type,
    escalation_user_ids: JSON.stringify(type.escalation_user_ids),
    team_settings: JSON.stringify(type.team_settings),
  };
}

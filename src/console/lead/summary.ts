/** What the console reads of leads. */
import type { Party } from "../parts/customer.ts";
import type { PageOf } from "../parts/list.tsx";

export interface LeadRecord {
  readonly id: string;
  readonly status: string;
  readonly user_id: number | null;
  readonly team_id: number | null;
  readonly team: { readonly id: number; readonly name: string } | null;
  readonly agency_team_id: number | null;
  readonly lead_type: { readonly id: string; readonly name: string };
  readonly lead_source: string;
  readonly interest: string | null;
  readonly b2c: boolean;
  readonly case_id: string | null;
  readonly escalates_at: string | null;
  readonly created_at: string;
  readonly account: Party;
  readonly contact: Party;
}

export type LeadList = PageOf<LeadRecord>;

/** Statuses in which a member of the team, or an admin, may accept or reject. */
export const acceptable: readonly string[] = ["assigned", "escalated", "called"];

/** Returns whether the person may accept the lead: a member of its team, or an admin. */
export function mayAccept(
  lead: Pick<LeadRecord, "status" | "team_id" | "case_id">,
  caller: { readonly userType: string; readonly teamIds: readonly number[] },
): boolean {
  const isOpen = acceptable.includes(lead.status) && lead.case_id === null;
  return isOpen &&
    (caller.userType === "admin" || (lead.team_id !== null && caller.teamIds.includes(lead.team_id)));
}

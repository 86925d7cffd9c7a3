/** What the console reads of leads. */
export interface FieldValue {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly options: readonly { readonly id: string; readonly value: string }[];
}

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
  readonly account: { readonly fixed_fields: readonly FieldValue[] };
  readonly contact: { readonly fixed_fields: readonly FieldValue[] };
}

export interface LeadList {
  readonly data: readonly LeadRecord[];
  readonly pagination: {
    readonly total: number;
    readonly count: number;
    readonly current_page: number;
    readonly total_pages: number;
  };
}

function valueOf(fields: readonly FieldValue[], name: string): string | null {
  const value = fields.find((field) => field.name === name)?.value;
  return typeof value === "string" && value !== "" ? value : null;
}

export interface Customer {
  readonly contact: string | null;
  readonly account: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/** Returns who the lead is about, by what it brings or what it has become. */
export function customerOf({ account, contact }: Pick<LeadRecord, "account" | "contact">): Customer {
  const name = [valueOf(contact.fixed_fields, "first_name"), valueOf(contact.fixed_fields, "last_name")]
    .filter((part) => part !== null).join(" ");
  return {
    contact: name === "" ? null : name,
    account: valueOf(account.fixed_fields, "name"),
    phone: valueOf(contact.fixed_fields, "phone_number") ?? valueOf(account.fixed_fields, "phone_number"),
    email: valueOf(contact.fixed_fields, "email") ?? valueOf(account.fixed_fields, "email"),
  };
}

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

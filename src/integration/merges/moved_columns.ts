/** What names accounts and contacts, and so names the other record after a merge. */
import { joined, type Sql, sql } from "../../db/statements.ts";
import type { Followers, NewIds } from "./follow.ts";

/** Columns by table. Tests compare them with the declared references. */
export const movedColumns: Readonly<Record<string, readonly string[]>> = {
  contacts: ["account_id"],
  cases: ["account_id", "contact_id"],
  leads: ["account_id", "contact_id", "original_account_id", "original_contact_id"],
  lead_transitions: ["account_id", "contact_id"],
  notes: ["contact_id"],
  attachments: ["entity_id"],
  campaign_messages: ["contact_id"],
  companies: ["default_account_id"],
};

/** The ids of the records that go; null: none of the kind. */
export interface Going {
  readonly account_id: string | null;
  readonly contact_id: string | null;
}

/** Selects all that names the records that go. */
export function followersOf({ account_id, contact_id }: Going): Followers {
  const cases = sql`select id from cases where account_id = ${account_id}
    union select id from cases where contact_id = ${contact_id}`;
  const leads = [
    sql`account_id = ${account_id}`,
    sql`original_account_id = ${account_id}`,
    sql`contact_id = ${contact_id}`,
    sql`original_contact_id = ${contact_id}`,
  ].map((condition) => sql`select id from leads where ${condition}`);
  return {
    contacts: sql`select id from contacts where account_id = ${account_id} and id is not ${contact_id}`,
    notes: sql`select id from notes where contact_id = ${contact_id}`,
    leads: sql`${joined(leads, " union ")} union select m.lead_id from lead_transitions m
      where m.case_id in (${cases}) and (m.account_id = ${account_id} or m.contact_id = ${contact_id})`,
    cases,
  };
}

/** SQL: whether no lead names the records that go. Leads have no foreign keys. */
export function noLeadNames(going: Going): Sql {
  return sql`not exists (${followersOf(going).leads})`;
}

/** Renames ids in the columns. */
export function renaming(ids: ReadonlyMap<string, string>): NewIds {
  return (table, _id, row) =>
    Object.fromEntries(
      movedColumns[table]!.flatMap((column) => {
        const now = (row as Readonly<Record<string, string | null>>)[column];
        const after = now == null ? undefined : ids.get(now);
        return after === undefined ? [] : [[column, after]];
      }),
    );
}

/** Selections of deleted customers. */
import { literal, sql } from "../../db/statements.ts";
import type { ContactFacts } from "../contacts/present.ts";
import { selectContactsOfAccount } from "../contacts/queries.ts";
import type { Selection } from "./dependents.ts";

/** Selects the account with all its contacts, for counting. */
export function selectAccount(company_id: number, account_id: string): Selection {
  const contacts = selectContactsOfAccount(account_id);
  return { company_id, account_id, contact_id: null, contacts };
}

/** Contacts that a step takes: few enough that it holds the write lock for well under 100 ms. */
export const mostContacts = 100;
/** The contacts that a step chooses from: more than it takes plus the most that a run sets aside. */
const choice = 200;

/** Selects the account with at most `choice` contacts, which limits the cost of a step. */
export function selectAccountStep(company_id: number, account_id: string): Selection {
  const { contacts, ...selection } = selectAccount(company_id, account_id);
  const some = sql`${contacts} order by last_activity_at, id limit ${literal(choice)}`;
  return { ...selection, contacts: some };
}

export function selectContact(company_id: number, contact_id: string): Selection {
  return { company_id, account_id: null, contact_id, contacts: sql`select ${contact_id} as id` };
}

/** Whether the contact is deleted with the selection. */
export function isSelected(contact: Pick<ContactFacts, "id" | "account_id">, selection: Selection): boolean {
  return contact.id === selection.contact_id || contact.account_id === selection.account_id;
}

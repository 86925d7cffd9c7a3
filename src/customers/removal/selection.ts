/** Who leaves. */
import { raw, sql } from "../../db/statements.ts";
import type { ContactFacts } from "../contacts/present.ts";
import type { Selection } from "./dependents.ts";

/** With all its contacts, to count what goes. */
export function selectAccount(company_id: number, account_id: string): Selection {
  const contacts = sql`select id from contacts where account_id = ${account_id}`;
  return { company_id, account_id, contact_id: null, contacts };
}

/** Contacts that a step takes: few enough that it holds the write lock for well under 100 ms. */
export const mostContacts = 100;

/** With as many contacts as a step takes, so that it costs the same however many there are. */
export function selectAccountStep(company_id: number, account_id: string): Selection {
  const { contacts, ...leaving } = selectAccount(company_id, account_id);
  const some = `${contacts.sql} order by last_activity_at, id limit ${mostContacts}`;
  return { ...leaving, contacts: raw(some, ...contacts.args) };
}

export function selectContact(company_id: number, contact_id: string): Selection {
  return { company_id, account_id: null, contact_id, contacts: sql`select ${contact_id} as id` };
}

/** Whether the contact is one of those who leave. */
export function isSelected(contact: Pick<ContactFacts, "id" | "account_id">, leaving: Selection): boolean {
  return contact.id === leaving.contact_id || contact.account_id === leaving.account_id;
}

/**
 * SQL: whether the account of an id (an expression) is not a deleted one on its way out. Lists of contacts and
 * cases do without it: the few seconds until their step are not worth what every count of every list would
 * pay for it, since no index of theirs has the account.
 */
export function notBeingDeleted(accountId: string): string {
  return `${accountId} not in (select leaving.account_id from account_removals leaving)`;
}

/** Columns by which contacts are sorted, searched and filtered. */
import { e164, makePhoneKey } from "../../core/phone_numbers.ts";
import { extractPhoneDigits } from "../../core/reference.ts";
import { foldTexts, searchTokens } from "../../core/text.ts";
import { type CompanyFields, listSearchableValues } from "../../fields/field_sets.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { sortKey } from "../accounts/search_index.ts";
import type { ContactFacts } from "./present.ts";

type ContactKeys = Pick<ContactFacts, "last_name_key" | "name_words" | "folded" | "phone_key" | "e164">;

type Country = Pick<CompanyFields, "country">;

/** Columns computed from the others. */
export function makeContactKeys(contact: ContactFacts, fields: Country): ContactKeys {
  return {
    last_name_key: sortKey(contact.last_name),
    name_words: searchTokens(`c${contact.company_id}z`, [contact.first_name, contact.last_name]),
    folded: foldContact(contact),
    phone_key: contact.phone_number ? makePhoneKey(contact.phone_number) : null,
    e164: makeInternationalNumber(contact, fields),
  };
}

/** Returns the contact's phone number in international form; null without one. */
export function makeInternationalNumber(
  { phone_number }: Pick<ContactFacts, "phone_number">,
  { country }: Country,
): string | null {
  return phone_number ? e164(phone_number, country) : null;
}

function foldContact(contact: ContactFacts): string | null {
  const { salutation, first_name, last_name, email, phone_number, title } = contact;
  return foldTexts({ salutation, first_name, last_name, email, phone_number, title });
}

/** The words of the full-text index. */
export function listContactWords(contact: ContactFacts, { all }: CompanyFields): string {
  const { first_name, last_name, email, phone_number } = contact;
  const custom = listSearchableValues(all.contact, contact.custom);
  const numbers = [phone_number, ...extractPhoneDigits(phone_number)];
  return searchTokens(`c${contact.company_id}z`, [first_name, last_name, email, ...numbers, ...custom]);
}

/** Puts the words by which the contact is found into the full-text index. */
export function indexContactWords(contact: ContactFacts, fields: CompanyFields): Statement {
  const words = listContactWords(contact, fields);
  return {
    // The contact may have been deleted by the time this runs.
    ...sql`insert or replace into contacts_search (rowid, words) select seq, ${words}
      from contacts where id = ${contact.id}`,
    late: true,
  };
}

/** SQL: the row id of the contact of an id. */
export function selectContactSeq(id: string): Sql {
  return sql`(select seq from contacts where id = ${id})`;
}

/** The rows of customers that go: their values and words go with them. */
import type { FieldAuthor } from "../../db/commit.ts";
import { removeValues } from "../../db/custom_values.ts";
import type { CompanyFields } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { rawSql, sql } from "../../db/statements.ts";
import { guardChanged, type Result, type Statement } from "../../platform/database/database.ts";
import { asContact, contactColumns, type ContactFacts, contactJoins } from "../contacts/present.ts";
import { contactEvent } from "../contacts/write.ts";
import type { Selection, Taken } from "./dependents.ts";
import { mostContacts } from "./selection.ts";

/** Reads what `takeContacts` takes: those who leave in this step. */
export function selectedContacts({ contacts }: Selection): Statement {
  return sql`select ${rawSql(contactColumns)} from contacts contact ${rawSql(contactJoins)}
    where contact.id in (${contacts})`;
}

export function takeContacts(author: FieldAuthor, { rows }: Result): Taken {
  const contacts = rows.map(asContact);
  return {
    statements: contactRows(author.fields, contacts),
    events: contacts.map((contact) => contactEvent("contact_deleted", contact, author.fields)),
    more: contacts.length >= mostContacts,
  };
}

/** Removes contacts as they were read; nothing may name them any more. */
export function contactRows({ all }: CompanyFields, contacts: readonly ContactFacts[]): Statement[] {
  const seqs = JSON.stringify(contacts.map(({ seq }) => seq));
  return [
    guardVersions("contacts", contacts),
    ...removeValues(all.contact.custom, sql`select value from json_each(${seqs})`),
    sql`delete from contacts where seq in (select value from json_each(${seqs}))`,
  ];
}

/** Removes an account; nothing may name it any more. */
export function accountRow({ all }: CompanyFields, id: string): Statement[] {
  return [
    ...removeValues(all.account.custom, sql`select seq from accounts where id = ${id}`),
    sql`delete from accounts where id = ${id}`,
    guardChanged("account"),
  ];
}

/** The rows of deleted customers, with their values and words. */
import type { FieldAuthor } from "../../db/commit.ts";
import { removeValues } from "../../db/custom_values.ts";
import type { CompanyFields } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";
import { asContact, contactColumns, type ContactFacts, contactJoins } from "../contacts/present.ts";
import { contactEvent } from "../contacts/write.ts";
import type { Dependents, Selection } from "./dependents.ts";
import { mostContacts } from "./selection.ts";

/** The contacts of an account, and with the last of them the account. */
export function removeAccountRows(
  selection: Selection & { readonly account_id: string },
  take: Take,
  { guards }: Dependents,
): PlannedStep {
  const taken = take(selection.contacts, mostContacts);
  return {
    reads: [
      sql`select ${contactColumns} from contacts contact ${contactJoins}
        where contact.id in (${taken.ids})`,
    ],
    apply(author, [found]) {
      const contacts = found!.rows.map(asContact);
      const ids = sql`select value from json_each(${JSON.stringify(contacts.map(({ id }) => id))})`;
      return {
        statements: [
          ...guards({ ...selection, account_id: null, contacts: ids }),
          ...contactRows(author.fields, contacts),
        ],
        events: contacts.map((contact) => contactEvent("contact_deleted", contact, author.fields)),
        more: contacts.length >= taken.most,
        last: [
          ...guards({ ...selection, contacts: sql`select null where 0` }),
          ...accountRow(author, selection.account_id),
        ],
      };
    },
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

/** Nothing may name it any more. */
function accountRow({ fields }: FieldAuthor, id: string): Statement[] {
  return [
    ...removeValues(fields.all.account.custom, sql`select seq from accounts where id = ${id}`),
    sql`delete from accounts where id = ${id}`,
    guardChanged("account"),
  ];
}

/** Deletes the rows of an account: its contacts in steps, and the account with the last of them. */
import { sql } from "../../db/statements.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";
import { removeAccount } from "../accounts/write.ts";
import { readContactRow } from "../contacts/present.ts";
import { selectContactsAmong } from "../contacts/queries.ts";
import { draftContactEvent, removeContacts } from "../contacts/write.ts";
import type { Dependents, Selection } from "./dependents.ts";
import { mostContacts } from "./selection.ts";

/** Plans a step that deletes contacts of an account; the last step also deletes the account. */
export function removeAccountRows(
  selection: Selection & { readonly account_id: string },
  take: Take,
  { guards }: Dependents,
): PlannedStep {
  const taken = take(selection.contacts, mostContacts);
  return {
    reads: [selectContactsAmong(taken.ids)],
    apply(author, [found]) {
      const contacts = found!.rows.map(readContactRow);
      const ids = sql`select value from json_each(${JSON.stringify(contacts.map(({ id }) => id))})`;
      return {
        statements: [
          ...guards({ ...selection, account_id: null, contacts: ids }),
          ...removeContacts(author, contacts),
        ],
        events: contacts.map((contact) => draftContactEvent("contact_deleted", contact, author.fields)),
        more: contacts.length >= taken.most,
        last: [
          ...guards({ ...selection, contacts: sql`select null where 0` }),
          ...removeAccount(author, selection.account_id),
        ],
      };
    },
  };
}

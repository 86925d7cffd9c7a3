/** What global search finds of contacts. */
import { extractPhoneDigits } from "../../core/reference.ts";
import { listSearchableTexts } from "../../fields/field_sets.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { columnIs } from "../../lists/conditions.ts";
import type { FoundKind } from "../../lists/global_search.ts";
import { displayName } from "../accounts/display_name.ts";
import { composeContactName, readShownContact } from "./present.ts";
import { contactList } from "./queries.ts";

export const foundContacts: FoundKind = {
  list: contactList,
  index: "contacts_search",
  request: ({ caller }) => ({ scope: makeTeamScope(caller) }),
  exact: (text) => columnIs("external_id", text, 0.00001),
  present(row, { fields }) {
    const contact = readShownContact(row);
    const { id, first_name, last_name, email, phone_number, external_id, account_name } = contact;
    const name = composeContactName(contact);
    const account = displayName({ name: account_name, contact_name: contact.b2c === 1 ? name : null });
    return {
      id,
      title: name ?? account ?? "",
      subtitle: account === name ? email : account,
      status: contact.status,
      texts: [
        ["first_name", first_name],
        ["last_name", last_name],
        ["email", email],
        ["phone_number", phone_number && [phone_number, ...extractPhoneDigits(phone_number)].join(" ")],
        ["external_id", external_id],
        ...listSearchableTexts(fields.all.contact, contact.custom),
      ],
    };
  },
};

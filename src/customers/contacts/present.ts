/** Presents contacts. */
import { getTableColumns } from "drizzle-orm";
import type { Fields } from "../../fields/field_sets.ts";
import { selectColumns, selectRowJson, type Sql, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { displayName } from "../accounts/display_name.ts";
import { type Channel, type ContactRow, contacts, presentContactMembers } from "./record.ts";

/** A contact with the names of related records. */
export type ContactFacts = ContactRow & {
  user_name: string | null;
  /** The account's own name; null for a consumer's account without one, which shows the contact's name. */
  account_name: string | null;
};

/** Columns by which contacts are found, sorted and guarded. No answer has them. */
const unshown = [
  "seq",
  "company_id",
  "team_id",
  "last_name_key",
  "name_words",
  "folded",
  "phone_key",
  "e164",
  "last_activity_at",
  "created_with_lead_type_id",
  "created_with_lead_source",
  "created_by",
  "version",
] as const satisfies readonly (keyof ContactRow)[];

/** What answers show of a contact. */
export type ShownContact = Omit<ContactFacts, typeof unshown[number]>;

const nameColumns = sql`owner.first_name || ' ' || owner.last_name as user_name,
  its_account.name as account_name`;
/** Select list and joins for `ContactFacts` over the alias `contact`. */
export const contactColumns = sql`${selectColumns(contacts, "contact")}, ${nameColumns}`;
/** Select list for `ShownContact`: each column of a long page takes time to read, and to pass between threads. */
export const shownContactColumns = sql`${selectColumns(contacts, "contact", unshown)}, ${nameColumns}`;
export const contactJoins = sql`join accounts its_account on its_account.id = contact.account_id
  left join users owner on owner.id = contact.user_id`;

/** The names of the members of `ContactFacts`. */
export const contactFactNames: readonly string[] = [
  ...Object.keys(getTableColumns(contacts)),
  "user_name",
  "account_name",
];

/** SQL: the contact of an id (SQL) as the JSON text of `ContactFacts`; null without one. */
export function selectContactJson(id: Sql): Sql {
  const select = sql`select ${contactColumns} from contacts contact ${contactJoins}
    where contact.id = ${id}`;
  return selectRowJson(contacts, ["user_name", "account_name"], select);
}

export function readContactRow(row: Row): ContactFacts {
  return row as ContactFacts;
}

export function readShownContact(row: Row): ShownContact {
  return row as ShownContact;
}

/** Returns the first and last name; null when both are empty. */
export function composeContactName(contact: Pick<ContactRow, "first_name" | "last_name">): string | null {
  return `${contact.first_name ?? ""} ${contact.last_name ?? ""}`.trim() || null;
}

/** Presents the contact with the fields that the viewer sees. */
export function presentContact(contact: ShownContact, { contact: fields }: Fields) {
  return presentContactMembers({
    ...contact,
    account: {
      id: contact.account_id,
      name: displayName({
        name: contact.account_name,
        contact_name: contact.b2c === 1 ? composeContactName(contact) : null,
      }),
    },
    user: contact.user_id === null ? null : { id: contact.user_id, name: contact.user_name ?? "" },
    fixed_fields: fields.presentFixed(contact),
    custom_fields: fields.presentCustom(contact.custom),
    consent: {
      call: presentConsent(contact, "call"),
      email: presentConsent(contact, "email"),
      letter: presentConsent(contact, "letter"),
      sms: presentConsent(contact, "sms"),
    },
  });
}

/** Presents the contact's consent for a channel. */
export function presentConsent(contact: ShownContact, channel: Channel) {
  const given = contact[`consent_${channel}`];
  return { consent_given: given === null ? null : given === 1, updated_at: contact[`consent_${channel}_at`] };
}

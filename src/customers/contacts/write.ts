/** Making and changing contacts, as parts of a commit: their own verbs use it, and leads and cases. */
import type { FieldError } from "../../core/errors.ts";
import { fieldError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { searchTokens } from "../../core/text.ts";
import type { Author } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert, statement, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { sortKey } from "../accounts/write.ts";
import { type ContactFieldName, contactFields } from "../fields/catalogue.ts";
import { type FieldValueList, readCustomFields, readFixedFields } from "../fields/read.ts";
import { type ContactFacts, presentContact } from "./present.ts";
import { channels, type ConsentBody } from "./schema.ts";
import { contacts } from "./table.ts";

export type ContactValues = Partial<Record<ContactFieldName, string | null>>;

/** The contact as it will be, and what makes it so. */
export interface ContactWrite {
  readonly contact: ContactFacts;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

/** Fixed values of a body. Faults go to `errors`; `path` is where the lists stand, such as `contact.`. */
export function readContactValues(
  body: {
    fixed_fields?: FieldValueList | null | undefined;
    custom_fields?: FieldValueList | null | undefined;
  },
  path: string,
  errors: FieldError[],
): ContactValues {
  readCustomFields(body.custom_fields, `${path}custom_fields`, errors);
  return readFixedFields<ContactFieldName>(body.fixed_fields, contactFields, `${path}fixed_fields`, errors);
}

/** A contact needs a first name, a last name or an e-mail address. */
export function checkNamed(values: ContactValues, path: string, errors: FieldError[]): void {
  if (values.first_name || values.last_name || values.email) return;
  errors.push(
    fieldError(`${path}fixed_fields`, "required", "A contact needs a first name, a last name or an e-mail."),
  );
}

interface NewContact {
  /** Where it belongs; its team and kind are the contact's. */
  readonly account: AccountFacts;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly external_id: string | null;
  readonly values: ContactValues;
  readonly consent?: ConsentBody | null | undefined;
  readonly created_at?: string | undefined;
  /** `opportunity` when it is made together with a case. */
  readonly status?: "lead" | "opportunity";
}

export function newContact(author: Author, given: NewContact): ContactWrite {
  const { account, values } = given;
  const created_at = given.created_at ?? author.at;
  const contact: ContactFacts = {
    seq: 0,
    id: newId(author.now),
    company_id: account.company_id,
    account_id: account.id,
    team_id: account.team_id,
    b2c: account.b2c,
    user_id: given.user_id,
    external_id: given.external_id,
    status: given.status ?? "lead",
    salutation: values.salutation ?? null,
    first_name: values.first_name ?? null,
    last_name: values.last_name ?? null,
    email: values.email ?? null,
    phone_number: values.phone_number ?? null,
    title: values.title ?? null,
    custom: "{}",
    consent_call: null,
    consent_call_at: null,
    consent_email: null,
    consent_email_at: null,
    consent_letter: null,
    consent_letter_at: null,
    consent_sms: null,
    consent_sms_at: null,
    last_name_key: sortKey(values.last_name ?? null),
    name_words: "",
    last_activity_at: created_at,
    created_by: author.caller?.userId ?? null,
    created_at,
    updated_at: author.at,
    version: 1,
    user_name: given.user_name,
    account_name: account.name,
  };
  contact.name_words = nameWords(contact);
  Object.assign(contact, consentChanges(contact, given.consent, author.at));
  const { seq: _seq, user_name: _user, account_name: _account, ...row } = contact;
  return {
    contact,
    statements: [insert(contacts, row), indexWords(contact)],
    event: contactEvent("contact_created", contact),
  };
}

type ContactChanges = Partial<
  Pick<
    ContactFacts,
    | "account_id"
    | "account_name"
    | "team_id"
    | "b2c"
    | "user_id"
    | "user_name"
    | "external_id"
    | "status"
    | "last_activity_at"
  >
>;

/** `changes` beside the values: what else moves. The row is guarded by the version that was read. */
export function changedContact(
  author: Author,
  before: ContactFacts,
  values: ContactValues,
  changes: ContactChanges = {},
  consent?: ConsentBody | null,
): ContactWrite {
  const consented = consentChanges(before, consent, author.at);
  const contact: ContactFacts = {
    ...before,
    ...values,
    ...changes,
    ...consented,
    updated_at: author.at,
    version: before.version + 1,
  };
  contact.last_name_key = sortKey(contact.last_name);
  contact.name_words = nameWords(contact);
  const { user_name: _user, account_name: _account, ...moved } = changes;
  const { last_name_key, name_words, updated_at } = contact;
  const set = { ...values, ...moved, ...consented, last_name_key, name_words, updated_at };
  const statements = [updateVersioned(contacts, set, before), guardChanged("contact")];
  if (wordsOf(contact) !== wordsOf(before)) statements.push(indexWords(contact));
  return { contact, statements, event: contactEvent("contact_updated", contact) };
}

export function contactEvent(name: EventDraft["name"], contact: ContactFacts): EventDraft {
  const { id, team_id, created_by } = contact;
  return { name, entity: { type: "contact", id, team_id, created_by }, body: presentContact(contact) };
}

/** A consent's time moves only when its value does. */
function consentChanges(
  before: ContactFacts,
  given: ConsentBody | null | undefined,
  at: string,
): Partial<ContactFacts> {
  const changes: Partial<ContactFacts> = {};
  for (const channel of channels) {
    const wanted = given?.[channel]?.consent_given;
    if (wanted === undefined) continue;
    const value = wanted === null ? null : wanted ? 1 : 0;
    if (value === before[`consent_${channel}`]) continue;
    changes[`consent_${channel}`] = value;
    changes[`consent_${channel}_at`] = at;
  }
  return changes;
}

/** What of a contact is compared by sorting and searching; `words` is for the full-text index. */
export function contactKeys(
  contact: ContactFacts,
): { last_name_key: string; name_words: string; words: string } {
  return {
    last_name_key: sortKey(contact.last_name),
    name_words: nameWords(contact),
    words: wordsOf(contact),
  };
}

function nameWords(contact: ContactFacts): string {
  return searchTokens(`c${contact.company_id}z`, [contact.first_name, contact.last_name]);
}

function wordsOf(contact: ContactFacts): string {
  const { first_name, last_name, email, phone_number } = contact;
  return searchTokens(`c${contact.company_id}z`, [first_name, last_name, email, phone_number]);
}

function indexWords(contact: ContactFacts): Statement {
  return statement(
    "insert or replace into contacts_search (rowid, words) values ((select seq from contacts where id = ?), ?)",
    contact.id,
    wordsOf(contact),
  );
}

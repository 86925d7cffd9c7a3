/** Statements and events that create and update contacts. The verbs of contacts, leads and cases use them. */
import type { FieldError } from "../../core/errors.ts";
import type { CustomValues } from "../../fields/custom_fields.ts";
import type { ContactFieldName } from "../../fields/fixed_fields.ts";
import { makeId } from "../../core/ids.ts";
import { detachFiles } from "../attached_files.ts";
import { guardNotMerging } from "../not_merging.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import { changeValues, removeValues } from "../../db/custom_values.ts";
import type { CompanyFields } from "../../fields/field_sets.ts";
import type { EventDraft, Teams } from "../../db/outbox.ts";
import { guardVersions, insert, sql, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { type RefusedChannel, refusedChannels } from "../refusals/reasons.ts";
import {
  applyKnownRefusals,
  findAddress,
  liftUnsubscription,
  refuseAddress,
  refuseWithOthers,
} from "../refusals/refusals.ts";
import { isRefused, requireValues } from "../../fields/values.ts";
import {
  indexContactWords,
  listContactWords,
  makeContactKeys,
  makeInternationalNumber,
  selectContactSeq,
} from "./search_index.ts";
import { type ContactFacts, presentConsent, presentContact } from "./present.ts";
import {
  type Channel,
  channels,
  type ConsentBody,
  type ContactBody,
  contactMembers,
  contacts,
  repeatsConsent,
} from "./record.ts";
import { makeInitial } from "../../records/members.ts";

export type ContactValues = Partial<Record<ContactFieldName, string | null>>;

/** The new state of the contact, with its statements and event. */
export interface ContactWrite {
  readonly contact: ContactFacts;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

/** Adds a fault unless the contact has a first name, a last name or an e-mail address. */
export function checkNamed(values: ContactValues, path: string, errors: FieldError[]): void {
  const names = ["first_name", "last_name", "email"] as const;
  if (names.some((name) => values[name] || isRefused(values, name))) return;
  const rule = "A contact needs a first name, a last name or an e-mail.";
  requireValues(`${path}fixed_fields`, rule, { last_name: "Byron" }, errors);
}

/** `agreed_at`: a wire timestamp, when the consents were not given by this change. */
export type GivenConsent = ConsentBody & { readonly agreed_at?: string };

interface NewContact extends Partial<Pick<ContactBody, "external_id">> {
  /** The contact's account. The contact copies its team and kind. */
  readonly account: AccountFacts;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly values: ContactValues;
  readonly custom?: CustomValues;
  readonly consent?: GivenConsent | null | undefined;
  readonly created_at?: string | undefined;
  /** `opportunity` when it is created with a case. */
  readonly status?: "lead" | "opportunity";
  readonly lead?: { lead_type_id: string; lead_source: string };
}

export function makeContact(author: FieldAuthor, given: NewContact): ContactWrite {
  const { account, values, custom = {} } = given;
  const created_at = given.created_at ?? author.at;
  const contact: ContactFacts = {
    ...makeInitial(contactMembers, given),
    seq: 0,
    id: makeId(author.now),
    company_id: account.company_id,
    account_id: account.id,
    team_id: account.team_id,
    b2c: account.b2c,
    user_id: given.user_id,
    status: given.status ?? "lead",
    salutation: values.salutation ?? null,
    first_name: values.first_name ?? null,
    last_name: values.last_name ?? null,
    email: values.email ?? null,
    phone_number: values.phone_number ?? null,
    title: values.title ?? null,
    custom: JSON.stringify(custom),
    consent_call: null,
    consent_call_at: null,
    consent_email: null,
    consent_email_at: null,
    consent_letter: null,
    consent_letter_at: null,
    consent_sms: null,
    consent_sms_at: null,
    last_name_key: "",
    name_words: "",
    folded: null,
    phone_key: null,
    e164: null,
    last_activity_at: created_at,
    created_with_lead_type_id: given.lead?.lead_type_id ?? null,
    created_with_lead_source: given.lead?.lead_source ?? null,
    created_by: author.caller?.userId ?? null,
    created_at,
    updated_at: author.at,
    user_name: given.user_name,
    account_name: account.name,
  };
  Object.assign(
    contact,
    makeContactKeys(contact, author.fields),
    makeConsentChanges(contact, given.consent, author.at),
  );
  const { seq: _seq, user_name: _user, account_name: _account, ...row } = contact;
  return {
    contact,
    statements: [
      insert(contacts, row),
      ...changeRefusals(author, null, contact, given.consent),
      indexContactWords(contact, author.fields),
      ...changeValues(
        { owner: selectContactSeq(contact.id), fields: author.fields.all.contact.custom },
        {},
        custom,
      ),
    ],
    event: draftContactEvent("contact_created", contact, author.fields),
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
    | `consent_${Channel}`
    | `consent_${Channel}_at`
  >
>;

/**
 * Updates a contact and guards the version that was read. `values`: fixed fields. `changes`: other columns.
 * `custom`: all custom values after the update; null keeps them.
 */
export function changeContact(
  author: FieldAuthor,
  before: ContactFacts,
  values: ContactValues,
  changes: ContactChanges = {},
  given?: GivenConsent | null,
  custom: CustomValues | null = null,
): ContactWrite {
  const consent = given && chooseNewConsents(before, given);
  const consented = makeConsentChanges(before, consent, author.at);
  const contact: ContactFacts = {
    ...before,
    ...values,
    ...changes,
    ...consented,
    custom: custom ? JSON.stringify(custom) : before.custom,
    updated_at: author.at,
    version: before.version + 1,
  };
  const keys = makeContactKeys(contact, author.fields);
  Object.assign(contact, keys);
  const { user_name: _user, account_name: _account, ...moved } = changes;
  const kept = custom && { custom: contact.custom };
  const set = { ...values, ...moved, ...consented, ...kept, ...keys, updated_at: contact.updated_at };
  const statements = [
    guardNotMerging(before.id),
    updateVersioned(contacts, set, before),
    guardChanged("contact"),
    ...changeRefusals(author, before, contact, consent),
  ];
  if (listContactWords(contact, author.fields) !== listContactWords(before, author.fields)) {
    statements.push(indexContactWords(contact, author.fields));
  }
  if (custom) {
    const owned = { owner: selectContactSeq(contact.id), fields: author.fields.all.contact.custom };
    statements.push(...changeValues(owned, JSON.parse(before.custom), custom));
  }
  return { contact, statements, event: draftContactEvent("contact_updated", contact, author.fields, before) };
}

/** Brings back a contact that is gone, with the columns that it had. Refusals of its addresses apply to it. */
export function restoreContact(author: FieldAuthor, before: ContactFacts): ContactWrite {
  const contact: ContactFacts = { ...before, version: before.version + 1 };
  Object.assign(contact, makeContactKeys(contact, author.fields));
  const { seq: _seq, user_name: _user, account_name: _account, ...row } = contact;
  const owned = { owner: selectContactSeq(contact.id), fields: author.fields.all.contact.custom };
  return {
    contact,
    statements: [
      insert(contacts, row),
      ...refusedChannels.flatMap((channel) => {
        const address = findAddress(channel, contact);
        return address ? [applyKnownRefusals(author.deps, address)] : [];
      }),
      indexContactWords(contact, author.fields),
      ...changeValues(owned, {}, JSON.parse(contact.custom)),
    ],
    event: draftContactEvent("contact_created", contact, author.fields),
  };
}

export function draftContactEvent(
  name: EventDraft["name"],
  contact: ContactFacts,
  { all }: CompanyFields,
  before?: Teams,
): EventDraft {
  const { id, team_id, created_by } = contact;
  const entity = { type: "contact", id, team_id, created_by, before };
  return { name, entity, body: presentContact(contact, all) };
}

/**
 * Deletes contacts that no record refers to, with their custom values, and detaches their files. Guards the
 * versions that were read.
 */
export function removeContacts(author: FieldAuthor, contacts: readonly ContactFacts[]): Statement[] {
  const seqs = JSON.stringify(contacts.map(({ seq }) => seq));
  return [
    guardVersions("contacts", contacts),
    ...(contacts.length > 0 ? [guardNotMerging(...contacts.map(({ id }) => id))] : []),
    ...removeValues(author.fields.all.contact.custom, sql`select value from json_each(${seqs})`),
    ...detachFiles(
      author,
      "contact",
      sql`select id from contacts where seq in (select value from json_each(${seqs}))`,
    ),
    sql`delete from contacts where seq in (select value from json_each(${seqs}))`,
    ...contacts.flatMap((contact) => keepRefusals(author, contact)),
  ];
}

/**
 * Keeps the refusals of a contact with its addresses, when the contact leaves them. Contacts that unsubscribed
 * before refusals were kept with addresses have only their consent.
 */
function keepRefusals(author: FieldAuthor, contact: ContactFacts): Statement[] {
  return refusedChannels.flatMap((channel) => keepRefusal(author, channel, contact));
}

function keepRefusal(author: FieldAuthor, channel: RefusedChannel, contact: ContactFacts): Statement[] {
  const address = contact[`consent_${channel}`] === 0
    ? findAddress(channel, renewNumber(author, contact))
    : null;
  return address ? [refuseAddress(author.deps, address, "unsubscribed", author.at)] : [];
}

/**
 * Refusals of an address that the contact gets apply to it, unless the contact agrees to the channel by the same
 * change.
 */
function changeRefusals(
  author: FieldAuthor,
  before: ContactFacts | null,
  contact: ContactFacts,
  consent: GivenConsent | null | undefined,
): Statement[] {
  const { deps, at } = author;
  const earlier = before && renewNumber(author, before);
  return refusedChannels.flatMap((channel) => {
    const held = channel === "email" ? "email" : "e164";
    const left = earlier && earlier[held] !== contact[held] ? keepRefusal(author, channel, earlier) : [];
    const address = findAddress(channel, contact);
    if (!address) return left;
    // A consent that is given again counts too: the contact's own can be true while its address is refused.
    const agrees = consent?.[channel]?.consent_given === true;
    const arrives = before?.[held] !== contact[held];
    const agreedAt = agrees ? consent?.agreed_at : undefined;
    const joins = arrives && (!agrees || agreedAt !== undefined) && "e164" in address;
    return [
      ...left,
      ...(agrees ? [liftUnsubscription(deps, address, agreedAt)] : []),
      ...(arrives ? [applyKnownRefusals(deps, address)] : []),
      ...(joins ? [refuseWithOthers(deps, address, contact.id, at, agreedAt)] : []),
    ];
  });
}

/** The contact with the form of its number that it has from now on; the stored one may be older. */
function renewNumber({ fields }: FieldAuthor, contact: ContactFacts): ContactFacts {
  return { ...contact, e164: makeInternationalNumber(contact, fields) };
}

/** The consents that do not repeat what an answer showed, without those that the contact has refused since. */
function chooseNewConsents(before: ContactFacts, given: GivenConsent): GivenConsent {
  const passedOver = channels.filter((channel) =>
    repeatsConsent(given[channel], presentConsent(before, channel)) ||
    hasRefusedSince(before, channel, given)
  );
  return { ...given, ...Object.fromEntries(passedOver.map((channel) => [channel, undefined])) };
}

/** Whether the contact refused the channel after this consent, which is no refusal itself. */
function hasRefusedSince(
  before: ContactFacts,
  channel: Channel,
  { agreed_at, ...given }: GivenConsent,
): boolean {
  const refusedAt = before[`consent_${channel}`] === 0 ? before[`consent_${channel}_at`] : null;
  return agreed_at !== undefined && refusedAt !== null && refusedAt >= agreed_at &&
    given[channel]?.consent_given !== false;
}

/** Returns the changed columns of consents. The time of a consent changes only with its value. */
function makeConsentChanges(
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

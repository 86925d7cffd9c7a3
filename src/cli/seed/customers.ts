/** Made-up accounts and contacts: businesses with several contacts, consumers with one. */
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { accountMembers } from "../../customers/accounts/record.ts";
import { listAccountWords, makeAccountKeys } from "../../customers/accounts/search_index.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { contactMembers } from "../../customers/contacts/record.ts";
import { listContactWords, makeContactKeys } from "../../customers/contacts/search_index.ts";
import { noCompanyFields } from "../../fields/field_sets.ts";
import { formatTimestamp } from "../../core/time.ts";
import { makeInitial } from "../../records/members.ts";
import type { ChoiceField } from "./fields.ts";
import type { Dealer } from "./organisation.ts";
import { makeBusiness, makePerson } from "./people.ts";
import type { Random } from "./random.ts";
import type { Rows } from "./rows.ts";

export interface Place {
  readonly seq: number;
  readonly companyId: number;
  readonly dealer: Dealer;
  readonly userId: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** `contacts`: number of contacts. An account with exactly one may be a consumer. */
export function makeAccount(random: Random, place: Place, contacts: number): AccountFacts {
  const { pool } = place.dealer;
  const b2c = contacts === 1 && random.chance(70);
  const firm = b2c ? null : makeBusiness(random, pool);
  const spot = random.pick(pool.places);
  const created_at = formatTimestamp(place.at);
  return {
    seq: place.seq,
    id: random.uuid(place.at),
    company_id: place.companyId,
    team_id: place.dealer.teamId,
    user_id: place.userId,
    ...makeInitial(accountMembers, {
      b2c,
      external_id: random.chance(30) ? `K-${100_000 + place.seq}` : null,
    }),
    name: firm?.name ?? null,
    address: spot.street,
    zip_code: spot.zip_code,
    city: spot.city,
    state_region: null,
    country: pool.code,
    vat: firm && random.chance(60) ? `${pool.code}${100_000_000 + random.below(900_000_000)}` : null,
    website: firm && `https://${firm.domain}`,
    custom: "{}",
    name_key: "",
    name_words: "",
    folded: null,
    last_activity_at: created_at,
    contact_count: 0,
    created_with_lead_type_id: null,
    created_with_lead_source: null,
    counts: 1,
    created_by: place.userId,
    created_at,
    updated_at: created_at,
    user_name: null,
    contact_name: null,
  };
}

export function makeContact(random: Random, place: Place, account: AccountFacts): ContactFacts {
  const { pool } = place.dealer;
  const someone = makePerson(random, pool, account.website?.slice("https://".length) ?? "mail.example");
  const created_at = formatTimestamp(place.at);
  const consent = (percent: number) => random.chance(percent) ? (random.chance(75) ? 1 : 0) : null;
  const [call, email, letter, sms] = [consent(60), consent(70), consent(20), consent(10)];
  const since = (given: number | null) => given === null ? null : created_at;
  return {
    seq: place.seq,
    id: random.uuid(place.at),
    company_id: place.companyId,
    account_id: account.id,
    team_id: account.team_id,
    b2c: account.b2c,
    user_id: account.user_id,
    ...makeInitial(contactMembers, {}),
    status: "lead",
    ...someone,
    title: account.b2c ? null : random.pick(pool.jobs),
    custom: "{}",
    consent_call: call,
    consent_call_at: since(call),
    consent_email: email,
    consent_email_at: since(email),
    consent_letter: letter,
    consent_letter_at: since(letter),
    consent_sms: sms,
    consent_sms_at: since(sms),
    last_name_key: "",
    name_words: "",
    folded: null,
    phone_key: null,
    e164: null,
    last_activity_at: created_at,
    created_with_lead_type_id: null,
    created_with_lead_source: null,
    created_by: account.created_by,
    created_at,
    updated_at: created_at,
    user_name: null,
    account_name: account.name,
  };
}

/** Adds the chosen option to the record and to the filter rows. */
export function chooseModel(rows: Rows, field: ChoiceField, contact: ContactFacts): void {
  const option = field.choose();
  if (option === undefined) return;
  contact.custom = JSON.stringify({ [field.id]: option });
  const { b2c, team_id } = contact;
  rows.customValues.push({ field: field.seq, owner: contact.seq, text: option, b2c, team_id });
}

/** Adds a finished account with its contacts. */
export function takeCustomers(rows: Rows, account: AccountFacts, contacts: readonly ContactFacts[]): void {
  const [first] = contacts;
  account.contact_name = first ? `${first.first_name} ${first.last_name}` : null;
  const { user_name: _user, contact_name: _contact, ...row } = account;
  rows.accounts.push({ ...row, ...makeAccountKeys(account) });
  rows.accountWords.push([account.seq, listAccountWords(account, noCompanyFields)]);
  for (const contact of contacts) {
    const { user_name: _user, account_name: _account, ...row } = contact;
    rows.contacts.push({ ...row, ...makeContactKeys(contact, noCompanyFields) });
    rows.contactWords.push([contact.seq, listContactWords(contact, noCompanyFields)]);
  }
}

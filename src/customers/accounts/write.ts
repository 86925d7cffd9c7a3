/** Statements and events that create and update accounts. The account verbs and lead acceptance use them. */
import type { CustomValues } from "../../fields/custom_fields.ts";
import type { AccountFieldName } from "../../fields/fixed_fields.ts";
import { makeId } from "../../core/ids.ts";
import { detachFiles } from "../attached_files.ts";
import { guardNoContactMerging, guardNotMerging } from "../not_merging.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import { changeValues, removeValues } from "../../db/custom_values.ts";
import type { CompanyFields } from "../../fields/field_sets.ts";
import type { EventDraft, Teams } from "../../db/outbox.ts";
import { insert, sql, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { indexAccountWords, listAccountWords, makeAccountKeys, selectAccountSeq } from "./search_index.ts";
import { type AccountFacts, presentAccount } from "./present.ts";
import { type AccountBody, accountMembers, accounts } from "./record.ts";
import { makeInitial } from "../../records/members.ts";

export type AccountValues = Partial<Record<AccountFieldName, string | null>>;

/** The new state of the account, with its statements and event. */
export interface AccountWrite {
  readonly account: AccountFacts;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

interface NewAccount extends Partial<Pick<AccountBody, "b2c" | "external_id">> {
  readonly company_id: number;
  readonly team_id: number | null;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly values: AccountValues;
  readonly custom?: CustomValues;
  /** Name of the contact created with it, for a consumer's account without a name. */
  readonly contact_name?: string | null;
  readonly created_at?: string | undefined;
  readonly lead?: { lead_type_id: string; lead_source: string };
}

export function makeAccount(author: FieldAuthor, given: NewAccount): AccountWrite {
  const { values, custom = {} } = given;
  const created_at = given.created_at ?? author.at;
  const account: AccountFacts = {
    ...makeInitial(accountMembers, given),
    seq: 0,
    id: makeId(author.now),
    company_id: given.company_id,
    team_id: given.team_id,
    user_id: given.user_id,
    name: values.name ?? null,
    address: values.address ?? null,
    zip_code: values.zip_code ?? null,
    city: values.city ?? null,
    state_region: values.state_region ?? null,
    country: values.country ?? null,
    vat: values.vat ?? null,
    website: values.website ?? null,
    custom: JSON.stringify(custom),
    name_key: "",
    name_words: "",
    folded: null,
    last_activity_at: created_at,
    contact_count: 0,
    created_with_lead_type_id: given.lead?.lead_type_id ?? null,
    created_with_lead_source: given.lead?.lead_source ?? null,
    counts: 1,
    created_by: author.caller?.userId ?? null,
    created_at,
    updated_at: author.at,
    user_name: given.user_name,
    contact_name: given.contact_name ?? null,
  };
  Object.assign(account, makeAccountKeys(account));
  const { seq: _seq, user_name: _user, contact_name: _contact, ...row } = account;
  return {
    account,
    statements: [
      insert(accounts, row),
      indexAccountWords(account, author.fields),
      ...changeValues(
        { owner: selectAccountSeq(account.id), fields: author.fields.all.account.custom },
        {},
        custom,
      ),
    ],
    event: draftAccountEvent("account_created", account, author.fields),
  };
}

type AccountChanges = Partial<
  Pick<
    AccountFacts,
    "team_id" | "user_id" | "user_name" | "external_id" | "contact_name" | "last_activity_at"
  >
>;

/**
 * Updates an account and guards the version that was read. `values`: fixed fields. `changes`: other columns.
 * `custom`: all custom values after the update; null keeps them.
 */
export function changeAccount(
  author: FieldAuthor,
  before: AccountFacts,
  values: AccountValues,
  changes: AccountChanges = {},
  custom: CustomValues | null = null,
): AccountWrite {
  const account: AccountFacts = {
    ...before,
    ...values,
    ...changes,
    custom: custom ? JSON.stringify(custom) : before.custom,
    updated_at: author.at,
    version: before.version + 1,
  };
  const keys = makeAccountKeys(account);
  Object.assign(account, keys);
  const { user_name: _user, contact_name: _contact, ...moved } = changes;
  const kept = custom && { custom: account.custom };
  const set = { ...values, ...moved, ...kept, ...keys, updated_at: account.updated_at };
  const statements = [
    guardNotMerging(before.id),
    updateVersioned(accounts, set, before),
    guardChanged("account"),
  ];
  if (listAccountWords(account, author.fields) !== listAccountWords(before, author.fields)) {
    statements.push(indexAccountWords(account, author.fields));
  }
  if (custom) {
    const owned = { owner: selectAccountSeq(account.id), fields: author.fields.all.account.custom };
    statements.push(...changeValues(owned, JSON.parse(before.custom), custom));
  }
  if (account.team_id !== before.team_id) {
    statements.push(
      sql`update contacts set team_id = ${account.team_id} where account_id = ${account.id} and team_id is not ${account.team_id}`,
    );
  }
  return { account, statements, event: draftAccountEvent("account_updated", account, author.fields, before) };
}

/** Brings back an account that is gone, with the columns that it had. It has no contacts yet. */
export function restoreAccount(author: FieldAuthor, before: AccountFacts): AccountWrite {
  const account: AccountFacts = { ...before, contact_count: 0, counts: 1, version: before.version + 1 };
  Object.assign(account, makeAccountKeys(account));
  const { seq: _seq, user_name: _user, contact_name: _contact, ...row } = account;
  const owned = { owner: selectAccountSeq(account.id), fields: author.fields.all.account.custom };
  return {
    account,
    statements: [
      insert(accounts, row),
      indexAccountWords(account, author.fields),
      ...changeValues(owned, {}, JSON.parse(account.custom)),
    ],
    event: draftAccountEvent("account_created", account, author.fields),
  };
}

/**
 * Removes the account from its team, so that all callers get the same counts, and frees its external id. Not while one
 * of its contacts merges: what goes with them may be on its way to another account.
 */
export function hideAccount(account: AccountFacts): Statement[] {
  return [
    guardNotMerging(account.id),
    guardNoContactMerging(account.id),
    updateVersioned(accounts, { team_id: null, external_id: null, counts: 0 }, account),
    guardChanged("account"),
  ];
}

/** Deletes an account that no record refers to, with its custom values, and detaches its files. */
export function removeAccount(author: FieldAuthor, id: string): Statement[] {
  return [
    guardNotMerging(id),
    ...removeValues(author.fields.all.account.custom, sql`select seq from accounts where id = ${id}`),
    ...detachFiles(author, "account", sql`select ${id}`),
    sql`delete from accounts where id = ${id}`,
    guardChanged("account"),
  ];
}

export function draftAccountEvent(
  name: EventDraft["name"],
  account: AccountFacts,
  { all }: CompanyFields,
  before?: Teams,
): EventDraft {
  const { id, team_id, created_by } = account;
  const entity = { type: "account", id, team_id, created_by, before };
  return { name, entity, body: presentAccount(account, all) };
}

/** Decides what becomes of a row of contacts: the same as of a single call, for a commit of several rows. */
import * as newAccounts from "../../customers/accounts/create.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { AccountBody } from "../../customers/accounts/record.ts";
import { makeAccount } from "../../customers/accounts/write.ts";
import * as newContacts from "../../customers/contacts/create.ts";
import { composeContactName, type ContactFacts, presentContact } from "../../customers/contacts/present.ts";
import type { ContactBody } from "../../customers/contacts/record.ts";
import * as changedContacts from "../../customers/contacts/update.ts";
import type { Result } from "../../platform/database/database.ts";
import { holding, matchKey } from "./customers.ts";
import {
  attempt,
  checkFields,
  type Deciding,
  earlier,
  failed,
  nobody,
  type Outcome,
  pickFields,
  readCreatedAt,
  recordCreation,
  recordUpdate,
} from "./decisions.ts";
import { addFault, addTakenId, type Draft, findFixedPath, findFixedValue, type Part } from "./drafts.ts";

/** A row that moves a contact to another account: it is decided alone, since other records move too. */
export class MovesContact extends Error {
  override readonly name = "MovesContact";

  constructor(readonly contact: ContactFacts, readonly account: AccountFacts) {
    super("the row moves a contact");
  }
}

/** What `decideContact` needs for a row that moves a contact. */
export interface MoveReads {
  readonly results: readonly Result[];
}

/** Decides on a row of contacts. Throws MovesContact without `move` when it needs the reads of a move. */
export function decideContact(
  deciding: Deciding,
  draft: Draft,
  move: MoveReads | null = null,
): Outcome & { readonly isAhead?: boolean } {
  const { author, row, customers } = deciding;
  const { external_id } = draft.self;
  const matched = matchContact(deciding, draft);
  if (matched.contact && row.on_match === "skip" && draft.faults.length === 0) {
    const { contact } = matched;
    return { ...failed, action: "skip", record: () => presentContact(contact, author.fields.seen) };
  }
  if (matched.contact && row.on_match !== "update") {
    if (row.on_match === "fail") {
      addFault(draft, "self", matched.path, "unique", "A contact has this value already.");
    }
    checkFields(deciding, draft, "self", draft.self);
    return failed;
  }
  const own = pickFields(draft.self);
  const holder = external_id ? customers.contactWithExternalId(external_id) : null;
  if (matched.contact) {
    const before = matched.contact;
    const from = customers.accounts.get(before.account_id);
    if (!from) throw new Error("a contact's account was not read");
    const named = findNamedAccount(deciding, draft, before.b2c === 1);
    const to = named ?? from;
    const body = {
      ...own,
      ...(external_id === undefined ? {} : { external_id }),
      consent: draft.self.consent,
      ...(to.id === from.id ? {} : { account_id: to.id }),
    };
    if (to.id !== from.id && !move) throw new MovesContact(before, to);
    const results = [{ rows: [{ ...to }], changes: 0 }, ...nobody, ...move?.results ?? []];
    const taken = holder && holder.id !== before.id ? holding(holder.id) : null;
    if (taken) addTakenId(draft, "self");
    if (!named && isHeld(deciding, draft.account)) addTakenId(draft, "account");
    const decided = attempt(draft, "self", "last_name", () =>
      changedContacts.decideContactUpdate(
        author,
        from,
        before,
        body,
        taken,
        results,
        deciding.followers,
      ));
    if (!decided || draft.faults.length > 0) return failed;
    const outcome = recordUpdate(
      "contacts",
      draft,
      before,
      decided.contact,
      decided.change,
      () => presentContact(decided.contact, author.fields.seen),
    );
    if (decided.isAhead) {
      const { statements, events = [] } = decided.change;
      return { ...outcome, statements, events, isAhead: true };
    }
    if (outcome.statements.length === 0) return outcome;
    customers.contacts.set(before.id, decided.contact);
    const moves = to.id !== from.id;
    const accounts = decided.accounts.map((account) => {
      const more = moves ? account.id === to.id ? 1 : -1 : 0;
      return { ...account, contact_count: account.contact_count + more };
    });
    for (const account of accounts) customers.accounts.set(account.id, account);
    return {
      ...outcome,
      contact: { before, after: decided.contact },
      accounts: moves ? accounts.map((account) => ({ account, isMade: false })) : [],
    };
  }
  const { account, madeNow, outcome } = findAccountOfRow(deciding, draft);
  const given: ContactBody = {
    ...own,
    external_id,
    consent: draft.self.consent,
    created_at: readCreatedAt(draft),
    user_id: row.user_id ?? undefined,
  };
  const taken = holder ? holding("taken") : null;
  if (taken) addTakenId(draft, "self");
  const placing = deciding.placing;
  const decided = attempt(
    draft,
    "self",
    "last_name",
    () => newContacts.decideNewContact(author, account, given, taken, placing),
  );
  if (!decided || draft.faults.length > 0) {
    if (madeNow) customers.accounts.delete(account.id);
    return failed;
  }
  customers.accounts.set(decided.account.id, decided.account);
  customers.contacts.set(decided.contact.id, decided.contact);
  return {
    action: "create",
    record: () => presentContact(decided.contact, author.fields.seen),
    statements: [...outcome?.statements ?? [], ...decided.change.statements],
    events: [...outcome?.events ?? [], ...decided.change.events ?? []],
    changes: [...outcome?.changes ?? [], recordCreation("contacts", draft, decided.contact)],
    contact: { before: null, after: decided.contact },
    accounts: [{ account: decided.account, isMade: madeNow }],
  };
}

interface Matched {
  readonly contact: ContactFacts | null;
  /** The path of the field that matches. */
  readonly path: string;
}

function matchContact({ author, row, customers }: Deciding, draft: Draft): Matched {
  const { self } = draft;
  const { match } = row;
  if (match === "external_id" && self.external_id) {
    const holder = customers.contactWithExternalId(self.external_id);
    const contact = holder && customers.isSeen(holder) ? holder : null;
    return { contact, path: "external_id" };
  }
  if (match !== "email" && match !== "phone_number") return { contact: null, path: "" };
  const { country } = author.fields;
  const key = matchKey(match, findFixedValue(self, match), country);
  const path = findFixedPath(self, match);
  if (key === null) return { contact: null, path };
  const found = customers.contactsMatching(match, key, country);
  if (found.length > 1) {
    addFault(draft, "self", path, "unique", "Several contacts have this value.");
    return { contact: null, path };
  }
  return { contact: found[0] ?? null, path };
}

/** Returns the account that a row names, if there is one that the maker sees. */
function findNamedAccount(
  { row, customers }: Deciding,
  { account }: Draft,
  isConsumer: boolean,
): AccountFacts | null {
  if (account.external_id) {
    const holder = customers.accountWithExternalId(account.external_id);
    return holder && customers.isSeen(holder) ? holder : null;
  }
  const name = findFixedValue(account, "name");
  if (isConsumer || typeof name !== "string" || name.trim() === "") return null;
  return customers.accountNamed(name, row.team_id);
}

/** Returns whether an account has the external id. */
function isHeld({ customers }: Deciding, { external_id }: Part): boolean {
  return external_id ? customers.accountWithExternalId(external_id) !== null : false;
}

/** Returns the account of a new contact: the one that the row names, or one that is made for it. */
function findAccountOfRow(deciding: Deciding, draft: Draft): {
  readonly account: AccountFacts;
  readonly madeNow: boolean;
  readonly outcome: Pick<Outcome, "statements" | "events" | "changes"> | null;
} {
  const { author, row, customers, placing } = deciding;
  const { b2c } = draft.properties;
  const isConsumer = typeof b2c === "boolean" ? b2c : !draft.account.isGiven;
  const named = findNamedAccount(deciding, draft, isConsumer);
  const noAccount = { madeNow: false, outcome: null };
  if (named) return { account: named, madeNow: false, outcome: null };
  const { external_id } = draft.account;
  // By an account that the maker does not see.
  if (isHeld(deciding, draft.account)) {
    addTakenId(draft, "account");
    checkFields(deciding, draft, "account", draft.account);
    return { account: placeholder(deciding), ...noAccount };
  }
  const body: AccountBody = {
    ...pickFields(draft.account),
    b2c: isConsumer,
    external_id,
    // The fault of a time in the future is the contact's.
    created_at: earlier(readCreatedAt(draft), author.at),
    team_id: row.team_id,
    user_id: row.user_id ?? undefined,
  };
  const values = draft.self.fixed_fields.map(({ name, value }) => [name, value ?? null]);
  const { first_name = null, last_name = null } = Object.fromEntries(values);
  const person = composeContactName({ first_name, last_name });
  const decided = attempt(
    draft,
    "account",
    "name",
    () => newAccounts.decideNewAccount(author, body, null, placing, person),
  );
  if (!decided) return { account: placeholder(deciding), ...noAccount };
  const { account, change } = decided;
  customers.accounts.set(account.id, account);
  return {
    account,
    madeNow: true,
    outcome: {
      statements: change.statements,
      events: change.events ?? [],
      changes: [recordCreation("accounts", draft, account)],
    },
  };
}

/** An account that is in no database, to find the faults of a contact without one. */
function placeholder({ author, row }: Deciding): AccountFacts {
  return makeAccount(author, {
    company_id: row.company_id,
    team_id: row.team_id,
    user_id: null,
    user_name: null,
    b2c: false,
    values: { name: "-" },
  }).account;
}

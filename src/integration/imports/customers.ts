/**
 * The accounts and contacts that the rows of a step may meet, as they are after the rows before: each row is
 * decided as a single call would be, on what the rows before it have left.
 */
import { type Caller, seesTeam } from "../../core/access.ts";
import { e164 } from "../../core/phone_numbers.ts";
import { foldText } from "../../core/text.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import {
  accountColumns,
  type AccountFacts,
  accountJoins,
  readAccountRow,
} from "../../customers/accounts/present.ts";
import { type ContactFacts, readContactRow } from "../../customers/contacts/present.ts";
import { selectContactsAmong } from "../../customers/contacts/queries.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { type Scope, testScope } from "../../db/scope.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { type Draft, findFixedValue } from "./drafts.ts";
import type { ImportRow } from "./table.ts";

/** A number or address as contacts are matched by it. */
export function matchKey(match: ImportRow["match"], given: unknown, country: string | null): string | null {
  if (typeof given !== "string" || given.trim() === "") return null;
  if (match === "email") return foldText(given.trim());
  return match === "phone_number" ? e164(given.trim(), country) : null;
}

const list = (values: Iterable<string>) => JSON.stringify([...new Set(values)]);
const selectValues = (values: string) => sql`(select value from json_each(${values}))`;

/**
 * Reads the customers that rows name. Of the contacts that share an address or a number reads two that are in
 * the scope: a row that matches several is refused, and thousands may share one.
 */
export function selectCustomers(
  { company_id, team_id, match, entity }: ImportRow,
  drafts: readonly Draft[],
  country: string | null,
  scope: Scope,
): Statement[] {
  const isOfContacts = entity === "contacts";
  const accountParts = drafts.map(({ self, account }) => isOfContacts ? account : self);
  const accountIds = list(accountParts.flatMap(({ external_id }) => external_id ?? []));
  const names = list(
    isOfContacts
      ? accountParts.flatMap((part) => {
        const name = part.external_id ? null : findFixedValue(part, "name");
        return typeof name === "string" ? [foldText(name.trim())] : [];
      })
      : [],
  );
  const contactIds = list(isOfContacts ? drafts.flatMap(({ self }) => self.external_id ?? []) : []);
  const field = match === "email" || match === "phone_number" ? match : null;
  const keys = list(
    field ? drafts.flatMap(({ self }) => matchKey(match, findFixedValue(self, field), country) ?? []) : [],
  );
  const [key, index] = match === "email"
    ? [composeCaseFold("m", "email"), sql`contacts_folded_email`]
    : [sql`m.e164`, sql`contacts_by_e164`];
  const matched = field
    ? sql`union select c.id from json_each(${keys}) k cross join contacts c on c.id in (
        select m.id from contacts m indexed by ${index} where m.company_id = ${company_id} and ${key} = k.value
        and ${testScope(scope, "m")} limit 2)`
    : sql``;
  const contacts = sql`select id from contacts where company_id = ${company_id}
    and external_id in ${selectValues(contactIds)} ${matched}`;
  // The oldest of each name: SQLite would read all accounts of the team, and a name may have thousands.
  const nameOfAccount = composeCaseFold("o", "name");
  const named = sql`select (select o.id from accounts o indexed by accounts_folded_name
    where o.company_id = ${company_id} and ${nameOfAccount} = k.value and o.team_id is ${team_id}
    and ${isNotBeingDeleted(sql`o.id`)} order by o.created_at, o.id limit 1)
    from json_each(${names}) k`;
  const accounts = sql`select id from accounts where company_id = ${company_id}
    and external_id in ${selectValues(accountIds)} union ${named}
    union select account_id from contacts where id in (${contacts})`;
  return [
    sql`select ${accountColumns} from accounts account ${accountJoins} where account.id in (${accounts})
      and ${isNotBeingDeleted(sql`account.id`)} order by account.created_at, account.id`,
    selectContactsAmong(contacts),
  ];
}

export class Customers {
  readonly accounts = new Map<string, AccountFacts>();
  readonly contacts = new Map<string, ContactFacts>();
  readonly #caller: Caller;

  constructor(caller: Caller, [accounts, contacts]: readonly Result[]) {
    this.#caller = caller;
    for (const account of accounts!.rows.map(readAccountRow)) this.accounts.set(account.id, account);
    this.addContacts(contacts!);
  }

  addContacts({ rows }: Result): void {
    for (const contact of rows.map(readContactRow)) this.contacts.set(contact.id, contact);
  }

  isSeen({ team_id }: AccountFacts | ContactFacts): boolean {
    return seesTeam(this.#caller, team_id);
  }

  accountWithExternalId(external_id: string): AccountFacts | null {
    return this.accounts.values().find((account) => account.external_id === external_id) ?? null;
  }

  contactWithExternalId(external_id: string): ContactFacts | null {
    return this.contacts.values().find((contact) => contact.external_id === external_id) ?? null;
  }

  /** The oldest account of the team that the caller sees and that has the name. */
  accountNamed(name: string, team_id: number | null): AccountFacts | null {
    const key = foldText(name.trim());
    const named = this.accounts.values().filter((account) =>
      account.team_id === team_id && account.name !== null && foldText(account.name) === key &&
      this.isSeen(account)
    );
    return named.reduce<AccountFacts | null>(
      (oldest, each) => oldest === null || isOlder(each, oldest) ? each : oldest,
      null,
    );
  }

  /** The contacts that the row may find: by its external id, and by what the import matches. */
  findContacts({ self }: Draft, match: ImportRow["match"], country: string | null): ContactFacts[] {
    const named = self.external_id ? this.contactWithExternalId(self.external_id) : null;
    const key = match === "email" || match === "phone_number"
      ? matchKey(match, findFixedValue(self, match), country)
      : null;
    return [...named ? [named] : [], ...key === null ? [] : this.contactsMatching(match, key, country)];
  }

  /** The contacts that the caller sees and that have the e-mail address or the number. */
  contactsMatching(match: ImportRow["match"], key: string, country: string | null): ContactFacts[] {
    return [...this.contacts.values()].filter((contact) =>
      this.isSeen(contact) &&
      matchKey(match, match === "email" ? contact.email : contact.phone_number, country) === key
    );
  }
}

/** Whether an account was made before another. Many of an import have the same time. */
export function isOlder(one: Age, other: Age): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
}

type Age = Pick<AccountFacts, "created_at" | "id">;

/** The result of a read that found these ids. */
export function holding(...ids: readonly string[]): Result {
  return { rows: ids.map((id) => ({ id })), changes: 0 };
}

/**
 * What a dry run remembers from step to step: the customers as its rows would have left them. Each is kept as one
 * key, which begins with its id; others lead to it from its external id, address, number or name.
 */
import { foldText } from "../../core/text.ts";
import { type AccountFacts, selectAccountsAmong } from "../../customers/accounts/present.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Moment } from "../../staged/kind.ts";
import { findNumber } from "./consents.ts";
import { type Customers, matchKey } from "./customers.ts";
import type { Outcome } from "./decisions.ts";
import { type Draft, findFixedValue } from "./drafts.ts";
import { packAccount, packContact, unpackAccount, unpackContact } from "./dry_facts.ts";
import type { ImportRow } from "./table.ts";

/** Keys begin as lists do in JSON, so that none begins as another one of a longer value does. */
const begin = (...parts: readonly unknown[]) => `${JSON.stringify(parts).slice(0, -1)},`;
const beginAccount = (id: string) => begin("account", id);
const beginContact = (id: string) => begin("contact", id);
const beginAccountId = (external_id: string) => begin("id of account", external_id);
const beginAccountName = (name: string, team_id: number | null) =>
  begin("name of account", team_id, foldText(name.trim()));
const beginContactId = (external_id: string) => begin("id of contact", external_id);
const beginRefuser = (e164: string) => begin("refusing contact", e164);
const beginMatch = (key: string) => begin("match of contact", key);

const end = (...parts: readonly unknown[]) => JSON.stringify(parts).slice(1);
/** Rows in the order of the file, as texts are compared. */
const writePlace = (row: number) => String(row).padStart(9, "0");

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const list = (values: readonly string[]) => JSON.stringify([...new Set(values)]);

/** SQL: a key that begins with the value of `b`: the last one, or the first. */
function selectKeyBeginning({ id }: ImportRow, order: "desc" | "asc"): Sql {
  const direction = order === "desc" ? sql`desc` : sql`asc`;
  return sql`(select k.key from import_keys k where k.import_id = ${id} and k.key > b.value
    and k.key < b.value || char(1114111) order by k.key ${direction} limit 1)`;
}

/** Reads which customers of earlier steps these rows name. */
export function readNamed(row: ImportRow, drafts: readonly Draft[], country: string | null): Statement {
  const isOfContacts = row.entity === "contacts";
  const last: string[] = [];
  const oldest: string[] = [];
  for (const draft of drafts) {
    const { self, account } = draft;
    const { external_id } = isOfContacts ? account : self;
    if (external_id) last.push(beginAccountId(external_id));
    if (!isOfContacts) continue;
    const name = findFixedValue(account, "name");
    if (isText(name)) oldest.push(beginAccountName(name, row.team_id));
    if (self.external_id) last.push(beginContactId(self.external_id));
    const key = findMatch(row, (field) => findFixedValue(self, field), country);
    if (key !== null) last.push(beginMatch(key));
    const number = findNumber(draft, country);
    if (number !== null) last.push(beginRefuser(number));
  }
  return sql`select ${selectKeyBeginning(row, "desc")} as key from json_each(${list(last)}) b
    union all select ${selectKeyBeginning(row, "asc")} from json_each(${list(oldest)}) b`;
}

function findMatch(
  { match }: ImportRow,
  readValue: (field: "email" | "phone_number") => unknown,
  country: string | null,
): string | null {
  return match === "email" || match === "phone_number" ? matchKey(match, readValue(match), country) : null;
}

/** Brings the customers of a step to where the rows of earlier steps would have left them. */
export async function followEarlier(
  { db }: Pick<Moment, "db">,
  row: ImportRow,
  country: string | null,
  customers: Customers,
  named: Result,
): Promise<void> {
  const keys = named.rows.flatMap(({ key }) => key === null ? [] : [JSON.parse(String(key)) as unknown[]]);
  const listNamed = (of: string) =>
    keys.flatMap(([kind, ...rest]) => String(kind).endsWith(of) ? [String(rest.at(-1))] : []);
  const contactIds = [...customers.contacts.keys(), ...listNamed("contact")];
  const accountIds = [...customers.accounts.keys(), ...listNamed("account")];
  if (contactIds.length + accountIds.length === 0) return;
  const [contacts, accounts] = await db.read([
    readKept(row, contactIds.map(beginContact)),
    readKept(row, accountIds.map(beginAccount)),
  ]);
  for (const [id, packed] of parseKept(contacts!)) {
    customers.contacts.set(id, unpackContact(row, id, packed, country));
  }
  setAccounts(row, customers, accounts!);
  const missing = [...customers.contacts.values()].map(({ account_id }) => account_id)
    .filter((id) => !customers.accounts.has(id));
  if (missing.length === 0) return;
  const [stored, kept] = await db.read([
    selectAccountsAmong(sql`select value from json_each(${list(missing)})`),
    readKept(row, missing.map(beginAccount)),
  ]);
  for (const account of stored!.rows as unknown[] as AccountFacts[]) {
    customers.accounts.set(account.id, account);
  }
  setAccounts(row, customers, kept!);
}

function setAccounts(row: ImportRow, { accounts }: Customers, kept: Result): void {
  for (const [id, packed] of parseKept(kept)) accounts.set(id, unpackAccount(row, id, packed));
}

function readKept(row: ImportRow, beginnings: readonly string[]): Statement {
  return sql`select ${selectKeyBeginning(row, "desc")} as key from json_each(${list(beginnings)}) b`;
}

/** Returns ids with what is kept of the records. */
function parseKept({ rows }: Result): [string, object][] {
  return rows.flatMap(({ key }) => {
    if (key === null) return [];
    const [, id, packed] = JSON.parse(String(key)) as [string, string, object];
    return [[id, packed]];
  });
}

/** What the rows of a step leave for later ones. */
export class Remembered {
  readonly #keys = new Set<string>();
  /** By the beginnings of their keys: of each record only the last is kept, however many rows change it. */
  readonly #records = new Map<string, string>();

  addKeys(keys: readonly string[]): void {
    for (const key of keys) this.#keys.add(key);
  }

  /** Adds the customers that a row would have left, with the keys by which later steps find them. */
  addOutcome(
    { row: number }: Draft,
    { accounts = [], contact }: Outcome,
    row: ImportRow,
    country: string | null,
  ): void {
    if (row.entity === "products" || row.entity === "leads") return;
    const place = writePlace(number);
    for (const { account, isMade } of accounts) {
      // Of others, contacts come and go, which no row depends on.
      if (!isMade && account.b2c !== 1 && row.entity === "contacts") continue;
      const { id, external_id, name, created_at } = account;
      this.#keep(beginAccount(id), packAccount(row, account));
      if (isMade && external_id) this.#keys.add(beginAccountId(external_id) + end(place, id));
      if (isMade && name !== null && row.entity === "contacts") {
        this.#keys.add(beginAccountName(name, row.team_id) + end(created_at, id));
      }
    }
    if (!contact) return;
    const { after } = contact;
    const key = findMatch(row, (field) => after[field], country);
    const ways = [
      ...after.external_id ? [beginContactId(after.external_id)] : [],
      ...key === null ? [] : [beginMatch(key)],
      ...after.e164 !== null && (after.consent_call === 0 || after.consent_sms === 0)
        ? [beginRefuser(after.e164)]
        : [],
    ];
    // One that no later row can name is not kept.
    if (ways.length === 0) return;
    this.addKeys(ways.map((way) => way + end(place, after.id)));
    this.#keep(beginContact(after.id), packContact(row, after));
  }

  /** Records it for the later steps. */
  record({ id }: ImportRow): Statement[] {
    const keys = list([...this.#keys, ...this.#records.values()]);
    if (keys === "[]") return [];
    const beginnings = list([...this.#records.keys()]);
    return [
      sql`delete from import_keys where rowid in (select k.rowid from json_each(${beginnings}) b
        cross join import_keys k on k.import_id = ${id} and k.key > b.value
        and k.key < b.value || char(1114111))`,
      sql`insert or ignore into import_keys (import_id, key) select ${id}, value from json_each(${keys})`,
    ];
  }

  #keep(beginning: string, packed: object): void {
    this.#records.set(beginning, beginning + end(packed));
  }
}

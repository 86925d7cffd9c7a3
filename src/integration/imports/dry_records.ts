/**
 * What a dry run remembers from step to step: the customers as its rows would have left them. Each is kept as a
 * key of its own, which begins with its id; others lead to it from its external id, address, number or name.
 */
import { comparedText } from "../../core/text.ts";
import { type AccountFacts, accountsAmong } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Moment } from "../../staged/kind.ts";
import { findNumber } from "./consents.ts";
import { type Customers, matchKey } from "./customers.ts";
import type { Outcome } from "./deciding.ts";
import { type Draft, fixedValue } from "./drafts.ts";
import type { ImportRow } from "./table.ts";

type Facts = AccountFacts | ContactFacts;

/** Keys begin as lists do in JSON, so that none begins as another one of a longer value does. */
const begin = (...parts: readonly unknown[]) => `${JSON.stringify(parts).slice(0, -1)},`;
const beginAccount = (id: string) => begin("account", id);
const beginContact = (id: string) => begin("contact", id);
const beginAccountId = (external_id: string) => begin("id of account", external_id);
const beginAccountName = (name: string, team_id: number | null) =>
  begin("name of account", team_id, comparedText(name.trim()));
const beginContactId = (external_id: string) => begin("id of contact", external_id);
const beginRefuser = (e164: string) => begin("refusing contact", e164);
const beginMatch = (key: string) => begin("match of contact", key);

const end = (...parts: readonly unknown[]) => JSON.stringify(parts).slice(1);
/** Rows in the order of the file, as texts are compared. */
const writePlace = (row: number) => String(row).padStart(9, "0");

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const list = (values: readonly string[]) => JSON.stringify([...new Set(values)]);

/** SQL: a key that begins with the value of `b`: the last one, or the first. */
function keyBeginning({ id }: ImportRow, order: "desc" | "asc"): Sql {
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
    const name = fixedValue(account, "name");
    if (isText(name)) oldest.push(beginAccountName(name, row.team_id));
    if (self.external_id) last.push(beginContactId(self.external_id));
    const key = findMatch(row, (field) => fixedValue(self, field), country);
    if (key !== null) last.push(beginMatch(key));
    const number = findNumber(draft, country);
    if (number !== null) last.push(beginRefuser(number));
  }
  return sql`select ${keyBeginning(row, "desc")} as key from json_each(${list(last)}) b
    union all select ${keyBeginning(row, "asc")} from json_each(${list(oldest)}) b`;
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
  for (const contact of parseKept<ContactFacts>(contacts!)) customers.contacts.set(contact.id, contact);
  for (const account of parseKept<AccountFacts>(accounts!)) customers.accounts.set(account.id, account);
  const missing = [...customers.contacts.values()].map(({ account_id }) => account_id)
    .filter((id) => !customers.accounts.has(id));
  if (missing.length === 0) return;
  const [stored, kept] = await db.read([
    accountsAmong(sql`select value from json_each(${list(missing)})`),
    readKept(row, missing.map(beginAccount)),
  ]);
  const found = [...stored!.rows as unknown[] as AccountFacts[], ...parseKept<AccountFacts>(kept!)];
  for (const account of found) customers.accounts.set(account.id, account);
}

function readKept(row: ImportRow, beginnings: readonly string[]): Statement {
  return sql`select ${keyBeginning(row, "desc")} as key from json_each(${list(beginnings)}) b`;
}

function parseKept<T>({ rows }: Result): T[] {
  return rows.flatMap(({ key }) => key === null ? [] : [(JSON.parse(String(key)) as unknown[]).at(-1) as T]);
}

/** Lists the keys by which later steps find what a row would have left. */
export function listKeys(
  { row: number }: Draft,
  { accounts = [], contact }: Outcome,
  row: ImportRow,
  country: string | null,
): string[] {
  if (row.entity === "products" || row.entity === "leads") return [];
  const place = writePlace(number);
  const keep = (beginning: string, facts: Facts) => beginning + end(place, facts);
  const keys = accounts.flatMap(({ account, isMade }) => {
    // Of others, contacts come and go, which no row depends on.
    if (!isMade && account.b2c !== 1 && row.entity === "contacts") return [];
    const { id, external_id, name, created_at } = account;
    return [
      keep(beginAccount(id), account),
      ...isMade && external_id ? [beginAccountId(external_id) + end(place, id)] : [],
      ...isMade && name !== null && row.entity === "contacts"
        ? [beginAccountName(name, row.team_id) + end(created_at, id)]
        : [],
    ];
  });
  if (!contact) return keys;
  const { after } = contact;
  const key = findMatch(row, (field) => after[field], country);
  const ways = [
    ...after.external_id ? [beginContactId(after.external_id) + end(place, after.id)] : [],
    ...key === null ? [] : [beginMatch(key) + end(place, after.id)],
    ...after.e164 !== null && (after.consent_call === 0 || after.consent_sms === 0)
      ? [beginRefuser(after.e164) + end(place, after.id)]
      : [],
  ];
  // One that no later row can name is not kept.
  return ways.length === 0 ? keys : [...keys, ...ways, keep(beginContact(after.id), after)];
}

/** Records the keys for the later steps. */
export function recordKeys({ id }: ImportRow, fresh: ReadonlySet<string>): Statement[] {
  if (fresh.size === 0) return [];
  const keys = JSON.stringify([...fresh]);
  return [
    sql`insert or ignore into import_keys (import_id, key) select ${id}, value from json_each(${keys})`,
  ];
}

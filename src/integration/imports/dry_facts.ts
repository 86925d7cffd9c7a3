/**
 * Customers as a dry run keeps them: without what is empty, the same for all, or follows from the rest. A dry run
 * of a large file would else write several times what the file has.
 */
import { accountFactNames, type AccountFacts } from "../../customers/accounts/present.ts";
import { makeAccountKeys } from "../../customers/accounts/search_index.ts";
import { contactFactNames, type ContactFacts } from "../../customers/contacts/present.ts";
import { makeContactKeys } from "../../customers/contacts/search_index.ts";
import type { ImportRow } from "./table.ts";

type Maker = Pick<ImportRow, "company_id" | "maker_id">;

const derived = new Set(["name_key", "last_name_key", "name_words", "folded", "phone_key", "e164"]);
const makeEmpty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const emptyAccount = makeEmpty(accountFactNames);
const emptyContact = makeEmpty(contactFactNames);

/** What most records have in common. */
function makeUsualRow(empty: object, { company_id, maker_id }: Maker): Record<string, unknown> {
  return { ...empty, company_id, created_by: maker_id, custom: "{}", version: 1, seq: 0, b2c: 0 };
}

function pack(facts: object, common: Readonly<Record<string, unknown>>): object {
  const own = Object.entries(facts).filter(([name, value]) =>
    name !== "id" && !derived.has(name) && value !== common[name]
  );
  return Object.fromEntries(own);
}

/** Returns what is kept of an account. */
export function packAccount(maker: Maker, account: AccountFacts): object {
  return pack(account, makeUsualRow(emptyAccount, maker));
}

/** Returns what is kept of a contact. */
export function packContact(maker: Maker, contact: ContactFacts): object {
  return pack(contact, makeUsualRow(emptyContact, maker));
}

/** Returns the account of which this was kept. */
export function unpackAccount(maker: Maker, id: string, packed: object): AccountFacts {
  const account = { ...makeUsualRow(emptyAccount, maker), ...packed, id } as AccountFacts;
  return { ...account, ...makeAccountKeys(account) };
}

/** Returns the contact of which this was kept. `country` is that of the company's phone numbers. */
export function unpackContact(
  maker: Maker,
  id: string,
  packed: object,
  country: string | null,
): ContactFacts {
  const contact = { ...makeUsualRow(emptyContact, maker), ...packed, id } as ContactFacts;
  return { ...contact, ...makeContactKeys(contact, { country }) };
}

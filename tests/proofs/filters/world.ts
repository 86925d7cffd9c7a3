/**
 * Creates a company with many kinds of customers through the API. Returns the plain facts to which filters
 * refer.
 */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp, TestCompany } from "../../support/app.ts";
import { nameValues, newField } from "../../customers/fields_world.ts";
import type { Facts, Scalar, Subject } from "./evaluator.ts";
import type { OwnFields } from "./fields.ts";
import { type Dealer, newSales } from "./sales.ts";

export interface World {
  readonly company: TestCompany;
  readonly admin: Actor;
  /** A member of one of the teams. */
  readonly member: Actor;
  /** The teams of customers: the member's team and another. */
  readonly teams: readonly number[];
  readonly accounts: readonly Customer[];
  readonly contacts: readonly Customer[];
  /** The leads, which only admins filter. */
  readonly leads: readonly Customer[];
  readonly own: Readonly<Record<"account" | "contact", OwnFields>>;
}

/** A record that filters may select. */
export interface Customer extends Subject {
  readonly team: number | null;
  /** True if the member sees the record. */
  readonly seen: boolean;
  /** The facts with only those cases and leads that the member sees. */
  readonly asSeen: Facts;
}

/** Returns a generator of random numbers that are the same in every run. */
export function makeDice(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return {
    below: (most: number) => Math.floor(next() * most),
    of: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
    chance: (part: number) => next() < part,
  };
}
export type Dice = ReturnType<typeof makeDice>;

const texts = [
  null,
  null,
  "",
  "Ada",
  "ada",
  "ADA LTD",
  "Müller & Söhne",
  "MÜLLER",
  "muller",
  "100 %",
  "a_b",
  "Straße",
  "O'Neil",
  'a "quoted" word',
  "back\\slash",
  "Ann",
  "Anna",
];

/** Creates the company. `size` is the number of accounts. */
export async function newWorld(app: TestApp, size = 22): Promise<World> {
  const company = await app.company();
  const { admin } = company;
  const random = makeDice(7);
  const dealers: Dealer[] = [];
  for (const name of ["North", "South"]) {
    const team = await company.team({ name, team_type: "dealer" });
    dealers.push({ team, member: await company.user({ teams: [team] }) });
  }
  const teams = [null, ...dealers.map(({ team }) => team)];
  const { member } = dealers[0]!;
  for (const owner of ["account", "contact"]) await defineFields(admin, owner);
  const made = { accounts: [] as Made[], contacts: [] as Made[] };
  const customers: { account: string; contact: string; b2c: boolean }[] = [];
  for (let n = 0; n < size; n++) {
    // Some records are created in the same second.
    if (random.chance(0.7)) app.clock.move(random.of([1000, 60_000, 86_400_000]));
    const account = await newAccount(admin, random, teams);
    made.accounts.push(account);
    const most = account.b2c ? 1 : 4;
    for (let left = random.below(most + 1); left > 0; left--) {
      if (random.chance(0.5)) app.clock.move(1000);
      const contact = await newContact(admin, random, account);
      made.contacts.push(contact);
      customers.push({ account: account.id, contact: contact.id, b2c: account.b2c });
    }
  }
  for (const { path } of [...made.accounts, ...made.contacts]) {
    if (!random.chance(0.2)) continue;
    app.clock.move(random.of([0, 1000]));
    await readAnswer(admin, "PUT", path, {}, 200);
  }
  const hanging = await newSales(app, admin, random, dealers, customers);
  // A team that does not see the customer of its lead creates its own customer.
  for (const { root, account, contact, team } of hanging) {
    if (root !== "lead" || account === null || contact === null) continue;
    if (made.contacts.some(({ id }) => id === contact)) continue;
    const path = `/v1/accounts/${account}`;
    made.accounts.push({ id: account, path, team });
    made.contacts.push({ id: contact, path: `${path}/contacts/${contact}`, team, account });
  }
  /**
   * Returns the records below a record: all, or those that the member sees (leads of its team, and shared
   * cases, too).
   */
  const below = (of: "account" | "contact", id: string, all: boolean) => {
    const there = hanging.filter((each) => each[of] === id);
    const visible = all
      ? there
      : there.filter(({ root, team }) => team === dealers[0]!.team || (team === null && root !== "lead"));
    const facts = (kind: string) => visible.filter(({ root }) => root === kind).map((each) => each.facts);
    return { case: facts("case"), lead: facts("lead"), product: facts("product") };
  };
  type Read = { body: Body; team: number | null; seen: boolean };
  const accounts = new Map<string, Read & { contacts: Facts[] }>();
  const isSeen = ({ team }: Made) => team === null || team === teams[1];
  for (const each of made.accounts) {
    const body = await readAnswer(admin, "GET", each.path, undefined, 200);
    accounts.set(each.id, { body, team: each.team, seen: isSeen(each), contacts: [] });
  }
  const contacts: (Read & { facts: Facts; account: string })[] = [];
  for (const { path, account, team } of made.contacts) {
    const body = await readAnswer(admin, "GET", path, undefined, 200);
    const facts = contactFacts(body, account!, team);
    accounts.get(account!)!.contacts.push(facts);
    const { seen } = accounts.get(account!)!;
    contacts.push({ body, team, seen, facts, account: account! });
  }
  const first = (found: readonly { body: Body }[], list: string) => found[0]!.body[list];
  return {
    company,
    admin,
    member,
    teams: dealers.map(({ team }) => team),
    accounts: [...accounts.values()].map(({ body, team, seen, contacts: contact }) => {
      const facts = (all: boolean) => ({
        ...accountFacts(body),
        below: { contact, ...below("account", body.id, all) },
      });
      return { root: "account", b2c: body.b2c, team, seen, facts: facts(true), asSeen: facts(false) };
    }),
    contacts: contacts.map(({ body, team, seen, facts: own, account: of }) => {
      const account = [accountFacts(accounts.get(of)!.body)];
      const facts = (all: boolean) => ({
        ...own,
        below: { account, ...below("contact", body.id, all) },
      });
      return { root: "contact", b2c: body.b2c, team, seen, facts: facts(true), asSeen: facts(false) };
    }),
    leads: hanging.filter(({ root }) => root === "lead").map(({ facts, team }) => (
      { root: "lead", b2c: false, team, seen: false, facts, asSeen: facts }
    )),
    own: {
      account: {
        fixed: first([...accounts.values()], "fixed_fields"),
        custom: first([...accounts.values()], "custom_fields"),
      },
      contact: { fixed: first(contacts, "fixed_fields"), custom: first(contacts, "custom_fields") },
    },
  };
}

interface Made {
  readonly id: string;
  /** The path to read and change the record. */
  readonly path: string;
  readonly team: number | null;
  /** The account of a contact. */
  readonly account?: string;
}

async function defineFields(admin: Actor, owner: string): Promise<void> {
  const types = ["text", "multi_line", "numeric", "date", "boolean"];
  for (const type of types) await newField(admin, { label: `Own ${type}`, type }, [], owner);
  for (const type of ["single_choice", "multiple_choice"]) {
    await newField(admin, { label: `Own ${type}`, type }, ["red", "green", "blue"], owner);
  }
}

interface MadeAccount extends Made {
  readonly b2c: boolean;
}

async function newAccount(
  admin: Actor,
  random: Dice,
  teams: readonly (number | null)[],
): Promise<MadeAccount> {
  const team = random.of(teams);
  const b2c = random.chance(0.4);
  const name = random.of(texts) || (b2c ? null : "Engines Ltd");
  const fields = await readAnswer(admin, "GET", "/v1/fields/account", undefined, 200);
  const body = await readAnswer(admin, "POST", "/v1/accounts", {
    b2c,
    team_id: team,
    fixed_fields: nameValues({
      name,
      address: random.of(texts),
      zip_code: random.of([null, "1010", "10115", "SW1A 1AA"]),
      city: random.of(texts),
      state_region: random.of(texts),
      country: random.of([null, "DE", "AT", "GB"]),
      vat: random.of([null, "ATU12345678", "DE1"]),
      website: random.of([null, "https://example.org", "https://Example.org/a"]),
    }),
    custom_fields: customValues(random, fields.data),
    ...drawCreation(random),
  }, 201);
  return { id: body.id, b2c, path: `/v1/accounts/${body.id}`, team };
}

async function newContact(admin: Actor, random: Dice, account: MadeAccount): Promise<Made> {
  const fields = await readAnswer(admin, "GET", "/v1/fields/contact", undefined, 200);
  const consent = Object.fromEntries(
    ["call", "email", "letter", "sms"].flatMap((channel) =>
      random.chance(0.6) ? [[channel, { consent_given: random.of([true, false, null]) }]] : []
    ),
  );
  const body = await readAnswer(admin, "POST", `${account.path}/contacts`, {
    fixed_fields: nameValues({
      salutation: random.of([null, "Ms", "Mr"]),
      first_name: random.of(texts),
      last_name: random.of(texts) || "Byron",
      email: random.of([null, "ada@example.org", "ADA@example.org", "bob@example.com"]),
      phone_number: random.of([null, "+43 1 234567", "030 1234567"]),
      title: random.of(texts),
    }),
    custom_fields: customValues(random, fields.data),
    consent,
    ...drawCreation(random),
  }, 201);
  const path = `${account.path}/contacts/${body.id}`;
  return { id: body.id, path, team: account.team, account: account.id };
}

const drawCreation = (random: Dice) =>
  random.chance(0.3)
    ? { created_at: random.of(["2025-02-28 12:00:00", "2026-02-28 12:00:00", "2026-01-31 23:59:59"]) }
    : {};

function customValues(random: Dice, fields: readonly Body[]): object[] {
  const values: Record<string, (options: readonly { id: string }[]) => unknown> = {
    text: () => random.of(texts),
    multi_line: () => random.of([...texts, "two\nlines", "x".repeat(3000)]),
    numeric: () => random.of([null, 0, 1, -1, 1.5, 10, 1_000_000_000_000]),
    date: () => random.of([null, "2026-01-31", "2026-03-02", "2024-02-29"]),
    boolean: () => random.of([null, true, false]),
    single_choice: (options) => random.of([null, ...options])?.id ?? null,
    multiple_choice: (options) => options.filter(() => random.chance(0.4)).map(({ id }) => id),
  };
  return fields.map(({ name, type, options }) => ({ name, value: values[type]!(options) }));
}

function accountFacts(body: Body): Facts {
  return { id: body.id, values: { ...common(body) }, below: {} };
}

function contactFacts(body: Body, account: string, team: number | null): Facts {
  const consents = Object.entries(body.consent as Record<string, Record<string, Scalar | null>>).flatMap((
    [channel, state],
  ) => Object.entries(state).map(([part, value]) => [`consent.${channel}.${part}`, listSome(value)]));
  return {
    id: body.id,
    values: {
      ...common(body),
      "account.id": [account],
      status: [body.status],
      team_id: listSome(team),
      ...Object.fromEntries(consents),
    },
    below: {},
  };
}

/** Returns the values that accounts and contacts have in common. */
function common(body: Body): Record<string, Scalar[]> {
  const values: Record<string, Scalar[]> = {
    b2c: [body.b2c],
    created_at: [body.created_at],
    updated_at: [body.updated_at],
  };
  for (const list of ["fixed_fields", "custom_fields"]) {
    for (const { name, value } of body[list]) {
      const all = Array.isArray(value) ? value : listSome(value);
      values[`${list}.${name}`] = all.map((each) => (typeof each === "object" ? each.id : each));
    }
  }
  return values;
}

/** Returns a list of one value, or an empty list for null and undefined. */
export const listSome = <T>(
  value: T | null | undefined,
): T[] => (value === null || value === undefined ? [] : [value]);

export async function readAnswer(
  by: Actor,
  method: string,
  path: string,
  body: unknown,
  status: number,
): Promise<Body> {
  const found = await by.call(method, path, body);
  assert.equal(found.status, status, found.text);
  return found.body;
}

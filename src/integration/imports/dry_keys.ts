/** What a dry run remembers from step to step of the records that its rows would have made or filled. */
import { comparedText } from "../../core/text.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { matchKey } from "./customers.ts";
import { type Draft, fixedValue } from "./drafts.ts";
import type { ImportRow } from "./table.ts";

/** An account that an earlier step would have made. */
export interface WouldBe {
  readonly id: string;
  readonly created_at: string;
  /** A consumer's account has its contact already. */
  readonly isConsumer: boolean;
}

/** The keys of records that the earlier steps of a dry run would have made. */
export class SeenKeys {
  readonly fresh = new Set<string>();
  readonly #known: readonly string[];
  readonly #among: ReadonlySet<string>;

  constructor(known: Result | undefined) {
    this.#known = known?.rows.flatMap(({ key }) => key === null ? [] : [String(key)]) ?? [];
    this.#among = new Set(this.#known);
  }

  add(key: string): void {
    this.fresh.add(key);
  }

  has(key: string): boolean {
    return this.#among.has(key);
  }

  /** The account of this external id that would have been made. */
  accountWithExternalId(external_id: string): WouldBe | null {
    return this.#read(beginId(external_id));
  }

  /** The oldest account of the team with this name that would have been made. */
  accountNamed(name: string, team_id: number | null): WouldBe | null {
    return this.#read(beginName(name, team_id));
  }

  #read(beginning: string): WouldBe | null {
    const key = this.#known.find((each) => each.startsWith(beginning));
    if (key === undefined) return null;
    const [created_at, id, b2c] = (JSON.parse(key) as unknown[]).slice(-3) as [string, string, number];
    return { id, created_at, isConsumer: b2c === 1 };
  }
}

/** Keys begin as lists do in JSON, so that none begins as another one of a longer value does. */
const begin = (...parts: readonly unknown[]) => `${JSON.stringify(parts).slice(0, -1)},`;
const beginId = (external_id: string) => begin("account id", external_id);
const beginName = (name: string, team_id: number | null) =>
  begin("account name", team_id, comparedText(name.trim()));
const beginCount = (id: string) => begin("contacts of", id);

const end = (...parts: readonly unknown[]) => JSON.stringify(parts).slice(1);
/** Rows in the order of the file, as texts are compared. */
const writePlace = (row: number) => String(row).padStart(9, "0");

/** Reads what earlier steps would have made of what these rows name. */
export function readKeys(row: ImportRow, drafts: readonly Draft[], country: string | null): Statement {
  const isOfAccounts = row.entity === "accounts";
  const beginnings = drafts.flatMap(({ self, account }) => {
    const { external_id } = isOfAccounts ? self : account;
    const name = isOfAccounts ? null : fixedValue(account, "name");
    return [
      ...external_id ? [beginId(external_id)] : [],
      ...typeof name === "string" ? [beginName(name, row.team_id)] : [],
    ];
  });
  const keys = drafts.flatMap((draft) => listContactKeys(draft, row, country));
  return sql`select key from import_keys where import_id = ${row.id}
    and key in (select value from json_each(${JSON.stringify([...new Set(keys)])}))
    union all select (${nextKey(row, sql`b.value`)} order by k.key limit 1)
    from json_each(${JSON.stringify([...new Set(beginnings)])}) b`;
}

/** SQL: the keys that begin with a text. */
function nextKey({ id }: ImportRow, beginning: Sql): Sql {
  return sql`select k.key from import_keys k where k.import_id = ${id} and k.key > ${beginning}
    and k.key < ${beginning} || char(1114111)`;
}

/** Reads how many contacts the earlier steps would have left at these accounts. */
export function readCounts(row: ImportRow, accounts: readonly AccountFacts[]): Statement {
  const beginnings = JSON.stringify(accounts.map(({ id }) => beginCount(id)));
  return sql`select (${nextKey(row, sql`b.value`)} order by k.key desc limit 1) as key
    from json_each(${beginnings}) b`;
}

/** Returns the numbers that `readCounts` has read, by the ids of the accounts. */
export function parseCounts({ rows }: Result): Map<string, number> {
  return new Map(rows.flatMap(({ key }): [string, number][] => {
    if (key === null) return [];
    const [, id, , count] = JSON.parse(String(key)) as [string, string, string, number];
    return [[id, count]];
  }));
}

/** Lists the keys of what a row would have made. `accounts`: those that it makes, or whose contacts it changes. */
export function listKeys(
  draft: Draft,
  row: ImportRow,
  country: string | null,
  accounts: readonly { readonly account: AccountFacts; readonly isMade: boolean }[],
): string[] {
  const { entity, team_id } = row;
  if (entity === "products" || entity === "leads") return [];
  const keys = accounts.flatMap(
    ({ account: { id, external_id, name, b2c, created_at, contact_count }, isMade }) => {
      if (!isMade) return b2c === 1 ? [beginCount(id) + end(writePlace(draft.row), contact_count)] : [];
      const rest = end(created_at, id, b2c);
      return [
        ...external_id ? [beginId(external_id) + rest] : [],
        ...name === null ? [] : [beginName(name, team_id) + rest],
      ];
    },
  );
  return [...keys, ...listContactKeys(draft, row, country)];
}

function listContactKeys({ self }: Draft, { entity, match }: ImportRow, country: string | null): string[] {
  if (entity !== "contacts") return [];
  const key = match === "email" || match === "phone_number"
    ? matchKey(match, fixedValue(self, match), country)
    : null;
  return [
    ...self.external_id ? [`contact id ${self.external_id}`] : [],
    ...key === null ? [] : [`contact ${match} ${key}`],
  ];
}

/** Records the keys for the later steps. */
export function recordKeys({ id }: ImportRow, fresh: ReadonlySet<string>): Statement[] {
  if (fresh.size === 0) return [];
  const keys = JSON.stringify([...fresh]);
  return [
    sql`insert or ignore into import_keys (import_id, key) select ${id}, value from json_each(${keys})`,
  ];
}

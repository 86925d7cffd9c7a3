/** Columns by which accounts are sorted, searched and filtered. */
import { fold, foldText, foldTexts, searchTokens } from "../../core/text.ts";
import { type CompanyFields, listSearchableValues } from "../../fields/field_sets.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { displayName } from "./display_name.ts";
import type { AccountFacts } from "./present.ts";

/** Longer text is sorted by its first characters. */
const longestKey = 128;

export function sortKey(text: string | null): string {
  return fold(text ?? "").slice(0, longestKey);
}

type AccountKeys = Pick<AccountFacts, "name_key" | "name_words" | "folded">;

/** Columns computed from the others. */
export function makeAccountKeys(account: AccountFacts): AccountKeys {
  const name = displayName(account);
  return {
    name_key: sortKey(name),
    name_words: searchTokens(`c${account.company_id}z`, [name]),
    folded: foldAccount(account),
  };
}

function foldAccount(account: AccountFacts): string | null {
  const { address, zip_code, city, state_region, vat, website } = account;
  const shown = displayName(account);
  const others = foldTexts({ address, zip_code, city, state_region, vat, website, name: account.name });
  if (account.name !== null || shown === null) return others;
  return JSON.stringify({ ...JSON.parse(others ?? "{}"), name: foldText(shown) });
}

/** The words of the full-text index. */
export function listAccountWords(account: AccountFacts, { all }: CompanyFields): string {
  const { city, external_id, website } = account;
  const custom = listSearchableValues(all.account, account.custom);
  return searchTokens(`c${account.company_id}z`, [
    displayName(account),
    city,
    external_id,
    website,
    ...custom,
  ]);
}

/** Puts the words by which the account is found into the full-text index. */
export function indexAccountWords(account: AccountFacts, fields: CompanyFields): Statement {
  const words = listAccountWords(account, fields);
  return {
    // The account may have been deleted by the time this runs.
    ...sql`insert or replace into accounts_search (rowid, words) select seq, ${words}
      from accounts where id = ${account.id}`,
    late: true,
  };
}

/** SQL: the row id of the account of an id. */
export function selectAccountSeq(id: string): Sql {
  return sql`(select seq from accounts where id = ${id})`;
}

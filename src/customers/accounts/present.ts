/** Presents accounts. */
import { getTableColumns } from "drizzle-orm";
import type { AccountFieldName } from "../../fields/fixed_fields.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { selectColumns, selectRowJson, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { displayName, selectShownName } from "./display_name.ts";
import { type AccountRow, accounts, presentAccountMembers } from "./record.ts";

/** An account with the names of related records. */
export type AccountFacts = AccountRow & {
  user_name: string | null;
  /** Name of a consumer's contact; shown when the account has no name. */
  contact_name: string | null;
};

/** Columns by which accounts are found, sorted, counted and guarded. No answer has them. */
const unshown = [
  "seq",
  "company_id",
  "name_key",
  "name_words",
  "folded",
  "last_activity_at",
  "contact_count",
  "created_with_lead_type_id",
  "created_with_lead_source",
  "counts",
  "created_by",
  "version",
] as const satisfies readonly (keyof AccountRow)[];

/** What answers show of an account. */
export type ShownAccount = Omit<AccountFacts, typeof unshown[number]>;

const nameColumns = sql`owner.first_name || ' ' || owner.last_name as user_name,
  ${selectShownName("account")} as contact_name`;
/** Select list and join for `AccountFacts` over the alias `account`. */
export const accountColumns = sql`${selectColumns(accounts, "account")}, ${nameColumns}`;
/** Select list for `ShownAccount`: each column of a long page takes time to read, and to pass between threads. */
export const shownAccountColumns = sql`${selectColumns(accounts, "account", unshown)}, ${nameColumns}`;
export const accountJoins = sql`left join users owner on owner.id = account.user_id`;

/** The names of the members of `AccountFacts`. */
export const accountFactNames: readonly string[] = [
  ...Object.keys(getTableColumns(accounts)),
  "user_name",
  "contact_name",
];

/** SQL: the account of an id (SQL) as the JSON text of `AccountFacts`; null without one. */
export function selectAccountJson(id: Sql): Sql {
  const select = sql`select ${accountColumns} from accounts account ${accountJoins}
    where account.id = ${id}`;
  return selectRowJson(accounts, ["user_name", "contact_name"], select);
}

/** Reads the accounts of these ids (SQL). */
export function selectAccountsAmong(ids: Sql): Statement {
  return sql`select ${accountColumns} from accounts account ${accountJoins} where account.id in (${ids})`;
}

export function readAccountRow(row: Row): AccountFacts {
  return row as AccountFacts;
}

export function readShownAccount(row: Row): ShownAccount {
  return row as ShownAccount;
}

/** Values of the fixed fields, with the display name. */
export function listAccountValues(account: ShownAccount): Record<AccountFieldName, string | null> {
  return account.name === null ? { ...account, name: displayName(account) } : account;
}

/** Presents the account with the fields that the viewer sees. */
export function presentAccount(account: ShownAccount, { account: fields }: Fields) {
  return presentAccountMembers({
    ...account,
    user: account.user_id === null ? null : { id: account.user_id, name: account.user_name ?? "" },
    fixed_fields: fields.presentFixed(listAccountValues(account)),
    custom_fields: fields.presentCustom(account.custom),
  });
}

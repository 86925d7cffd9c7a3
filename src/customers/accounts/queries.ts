/** Reads of accounts. */
import { seesTeam } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import { searchMatch } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import {
  countOf,
  createdWithin,
  type ListSource,
  pageOf,
  type Paging,
  type Sort,
  totalOf,
} from "../../db/pages.ts";
import { teamScope } from "../../db/scope.ts";
import { finding, raw, type Sql, statement } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { accountColumns, type AccountFacts, accountJoins, asAccount } from "./present.ts";

const source: ListSource = {
  table: "accounts",
  alias: "account",
  columns: accountColumns,
  joins: accountJoins,
};

/** The columns that `sort` may name. */
export const accountSorts = {
  last_activity_at: "last_activity_at",
  created_at: "created_at",
  updated_at: "updated_at",
  name: "name_key",
};

export interface AccountListQuery {
  search?: string | undefined;
  groups?: readonly number[] | undefined;
  users?: readonly number[] | undefined;
  teams?: readonly number[] | undefined;
  created_with_lead_types?: readonly string[] | undefined;
  created_with_lead_sources?: readonly string[] | undefined;
  start_at?: string | undefined;
  end_at?: string | undefined;
}

/** One page of the accounts that the caller sees, and their number. */
export async function listAccounts(
  ctx: Context,
  query: AccountListQuery,
  paging: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const scope = teamScope(ctx.caller);
  const conditions = conditionsOf(ctx, query, paging.sort);
  const [rows, total] = await ctx.deps.db.read([
    pageOf(source, scope, paging, conditions),
    conditions.length > 0 ? countOf(source, scope, conditions) : totalOf("accounts", scope),
  ]);
  return { rows: rows!.rows, total: Number(total!.rows[0]!.n) };
}

/** The statement that `accountOf` reads. */
export function accountById(companyId: number, id: string | null): Statement {
  return statement(
    `select ${accountColumns} from accounts account ${accountJoins} where account.id = ? and account.company_id = ?`,
    id,
    companyId,
  );
}

/** The account, when it is there and the caller sees it; else null. */
export function visibleAccount(ctx: Context, result: Result): AccountFacts | null {
  const row = result.rows[0];
  return row && seesTeam(ctx.caller, asAccount(row).team_id) ? asAccount(row) : null;
}

/** The account; 404 when it is not there or the caller does not see it. */
export function accountOf(ctx: Context, result: Result): AccountFacts {
  const account = visibleAccount(ctx, result);
  if (!account) throw notFound();
  return account;
}

export async function readAccount(ctx: Context, id: string): Promise<AccountFacts> {
  const [result] = await ctx.deps.db.read([accountById(ctx.caller.companyId, id)]);
  return accountOf(ctx, result!);
}

/** Who holds an external id already. */
export function accountByExternalId(companyId: number, externalId: string | null | undefined): Statement {
  return statement(
    "select id from accounts where company_id = ? and external_id = ?",
    companyId,
    externalId ?? null,
  );
}

function conditionsOf(ctx: Context, query: AccountListQuery, sort: Sort): Sql[] {
  const conditions: Sql[] = [];
  const found = (column: string, values: readonly (string | number)[] | undefined) => {
    if (values === undefined) return;
    const among = `account.${column} in (select value from json_each(?))`;
    conditions.push(finding("in company", among, JSON.stringify(values)));
  };
  found("user_id", query.users);
  found("created_with_lead_type_id", query.created_with_lead_types);
  found("created_with_lead_source", query.created_with_lead_sources);
  if (query.teams) {
    conditions.push(
      raw("account.team_id in (select value from json_each(?))", JSON.stringify(query.teams)),
    );
  }
  if (query.groups) {
    const ofGroups =
      "account.team_id in (select t.id from teams t where t.group_id in (select value from json_each(?)))";
    conditions.push(raw(ofGroups, JSON.stringify(query.groups)));
  }
  conditions.push(...createdWithin("account", query, sort));
  if (query.search) {
    const match = searchMatch(`c${ctx.caller.companyId}z`, query.search);
    if (match) {
      const found = "account.seq in (select rowid from accounts_search where accounts_search match ?)";
      conditions.push(finding("alone", found, match));
    }
  }
  return conditions;
}

/** Reads of accounts. */
import type { Fields } from "../../fields/field_sets.ts";
import { seesTeam } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { columnIn, type ListCondition, onColumn } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { intersectSelections, type Selection } from "../../lists/selection.ts";
import { selectTotal } from "../../lists/totals.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { composeRowsBeingDeleted, isNotBeingDeleted } from "./being_deleted.ts";
import { accountRows } from "./filter_fields.ts";
import { type ListConditions, listConditions } from "../list.ts";
import {
  accountColumns,
  type AccountFacts,
  accountJoins,
  presentAccount,
  readAccountRow,
  readShownAccount,
  shownAccountColumns,
} from "./present.ts";

export const accountList: List = {
  table: "accounts",
  alias: "account",
  columns: shownAccountColumns,
  joins: accountJoins,
  sorts: {
    last_activity_at: "last_activity_at",
    created_at: "created_at",
    updated_at: "updated_at",
    name: "name_key",
  },
  order: "-last_activity_at",
  indexes: accountRows.indexes,
};

export const accountListing = {
  list: accountList,
  present: (row: Row, fields: Fields) => presentAccount(readShownAccount(row), fields),
};

export interface AccountConditions extends ListConditions {
  readonly created_with_lead_types?: readonly string[] | undefined;
  readonly created_with_lead_sources?: readonly string[] | undefined;
}

/**
 * Returns one page of the accounts that the caller sees, and their number. `filter` is over the alias
 * `account`; `query` adds conditions.
 */
export function listAccounts(
  ctx: Context,
  paging: Paging,
  filter: Selection,
  query?: AccountConditions,
): Promise<ListPage> {
  const scope = makeTeamScope(ctx.caller);
  return readList(ctx, accountList, {
    scope,
    paging,
    fixedConditions: [notDeleted(scope.companyId)],
    selection: query ? intersectSelections(filter, makeSelection(ctx, query)) : filter,
    totals: [selectTotal("accounts", scope), subtractDeleted(scope.companyId)],
    isThreaded: filter.conditions.length > 0 || query?.search !== undefined,
  });
}

/** Subtracts deleted accounts whose deletion still runs. The counters include them; they belong to no team. */
function subtractDeleted(companyId: number): Statement {
  return sql`select -count(*) as n ${composeRowsBeingDeleted(companyId)}`;
}

/** Selects the account for `requireAccount` and `readVisibleAccount`. */
export function selectAccountById(companyId: number, id: string | Sql | null): Statement {
  const there = isNotBeingDeleted(sql`account.id`);
  return selectAccountWhere(sql`account.company_id = ${companyId} and account.id = ${id} and ${there}`);
}

/** Selects the account that has the external id, for `readVisibleAccount`. */
export function selectAccountByExternalId(companyId: number, externalId: string): Statement {
  return selectAccountWhere(sql`account.company_id = ${companyId} and account.external_id = ${externalId}`);
}

/** Returns the account; null when it does not exist or the caller does not see it. */
export function readVisibleAccount(ctx: Pick<Context, "caller">, result: Result): AccountFacts | null {
  const row = result.rows[0];
  return row && seesTeam(ctx.caller, readAccountRow(row).team_id) ? readAccountRow(row) : null;
}

/** Returns the account; 404 when it does not exist or the caller does not see it. */
export function requireAccount(ctx: Context, result: Result): AccountFacts {
  const account = readVisibleAccount(ctx, result);
  if (!account) throw notFound();
  return account;
}

export async function readAccount(ctx: Context, id: string): Promise<AccountFacts> {
  const [result] = await ctx.deps.db.read([selectAccountById(ctx.caller.companyId, id)]);
  return requireAccount(ctx, result!);
}

/** SQL: the id of the account that has the external id. */
export function selectAccountIdByExternalId(companyId: number, externalId: string): Sql {
  return sql`(select id from accounts where company_id = ${companyId} and external_id = ${externalId})`;
}

/** Finds the account that has an external id. */
export function selectIdOfAccount(companyId: number, externalId: string | null | undefined): Statement {
  return sql`select id from accounts where company_id = ${companyId} and external_id = ${externalId ?? null}`;
}

function selectAccountWhere(condition: Sql): Statement {
  return sql`select ${accountColumns} from accounts account ${accountJoins} where ${condition}`;
}

function makeSelection(ctx: Context, query: AccountConditions): Selection {
  const { created_with_lead_types: types, created_with_lead_sources: sources } = query;
  const own = [
    ...(types ? [columnIn("created_with_lead_type_id", types, 0.02)] : []),
    ...(sources ? [columnIn("created_with_lead_source", sources, 0.02)] : []),
  ];
  return intersectSelections(
    { conditions: own, paths: () => [] },
    listConditions(ctx, "accounts_search", query),
  );
}

/** Compares row numbers, which every index contains: excluding the few deleted accounts reads no rows. */
export function notDeleted(companyId: number): ListCondition {
  const leaving = sql`select gone.rowid from (select subject ${composeRowsBeingDeleted(companyId)}) leaving
    cross join accounts gone on gone.id = leaving.subject`;
  return onColumn((own) => identifier(own, "rowid"), null, (of) => sql`${of} not in (${leaving})`, 1);
}

/** SQL: the id of the team of the account. */
export function selectTeamOfAccount(id: string): Sql {
  return sql`(select team_id from accounts where id = ${id})`;
}

/** Selects a row when the account belongs to the company and is not being deleted. */
export function selectAccountOfCompany(companyId: number, id: string): Statement {
  return sql`select 1 as found from accounts where id = ${id} and company_id = ${companyId}
    and ${isNotBeingDeleted(sql`id`)}`;
}

/** Totals of lists: read from counters, or counted. */
import { isInScope, type Scope } from "../db/scope.ts";
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";

/** Reads `n` from the counters that triggers keep, for all rows of the scope or those of some statuses. */
export function selectTotal(
  kind: string,
  scope: Scope,
  statuses: readonly string[] | null = null,
): Statement {
  const among = statuses
    ? sql` and status in (select value from json_each(${JSON.stringify(statuses)}))`
    : sql``;
  return sql`select coalesce(sum(n), 0) as n from ${composeCounterRows(kind, scope)}${among}`;
}

/** SQL: the counters of all rows of the scope, with `status` and `n`. */
export function selectTotalsBy(kind: string, scope: Scope): Sql {
  return sql`select status, n from ${composeCounterRows(kind, scope)}`;
}

/** Kinds whose counters of the company as a whole have a name of their own, and are few. */
const ofCompany: Readonly<Record<string, string>> = { cases: "cases_by_status" };

function composeCounterRows(kind: string, { companyId, streams }: Scope): Sql {
  if (streams === null) return composeTotalRows(ofCompany[kind] ?? kind, companyId);
  const terms = streams.map(({ column, values }) => {
    const given = JSON.stringify(values.map((value) => value ?? 0));
    return sql`${identifier(column)} in (select value from json_each(${given}))`;
  });
  const scoped = terms.length > 0 ? sql` and (${joinSql(terms, " or ")})` : sql``;
  return sql`${composeTotalRows(kind, companyId)}${scoped}`;
}

/**
 * SQL after `from`: the counters of all rows of a company, by `team_id` (0: none), `status` and
 * `agency_team_id`.
 */
export function composeTotalRows(kind: string, companyId: number): Sql {
  return sql`totals where company_id = ${companyId} and kind = ${kind}`;
}

/**
 * Reads `n` from counters by owners that are not teams, such as cases. The column `status` has the owners'
 * ids. `teams`: counts only rows of these teams, which are in the column `agency_team_id` (0: no team); null:
 * all.
 */
export function selectOwnedTotal(
  kind: string,
  companyId: number,
  owners: readonly string[],
  teams: readonly number[] | null = null,
): Statement {
  const ofTeams = teams === null
    ? sql``
    : sql` and agency_team_id in (select value from json_each(${JSON.stringify(teams)}))`;
  return sql`select coalesce(sum(n), 0) as n from totals where company_id = ${companyId} and kind = ${kind}
    and team_id = 0 and status in (select value from json_each(${JSON.stringify(owners)}))${ofTeams}`;
}

/** SQL: a select of `columns` over the rows of the scope that meet the conditions. */
export function selectMatching(
  { table, alias }: { readonly table: string; readonly alias: string },
  scope: Scope,
  conditions: readonly Sql[],
  columns: Sql,
): Sql {
  const terms = joinSql([isInScope(scope, alias), ...conditions], " and ");
  return sql`select ${columns} from ${identifier(table)} ${identifier(alias)} where ${terms}`;
}

/** Reads the page and the exact total of selected rows by the cheapest path. */
import { inScope, type Scope } from "../db/scope.ts";
import { bounded, identifier, joined, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import { type AccessPath, choosePath, indexPaths, withRowConditions } from "./access_path.ts";
import { type ListCondition, onColumn } from "./conditions.ts";
import type { List, ListPlan, ListRequest } from "./list.ts";
import { asideFor, firstOf, idsInOrder, pageBy, readOf } from "./page.ts";
import { countEach, countMatching, planPage } from "./plan.ts";
import { chooseByTime } from "./time_path.ts";
import { matching } from "./totals.ts";

/** The rows of its scope that a list shows. */
export interface Selection {
  /** A row must meet all of them. */
  readonly conditions: readonly ListCondition[];
  /** Further paths, besides those by the indexes of the list's own columns. */
  readonly paths: (scope: Scope) => readonly AccessPath[];
}

export const unfiltered: Selection = { conditions: [], paths: () => [] };

/** Returns a selection of the rows that are in both. */
export function bothOf(one: Selection, other: Selection): Selection {
  if (one === unfiltered) return other;
  if (other === unfiltered) return one;
  return {
    conditions: [...one.conditions, ...other.conditions],
    paths: (scope) => [...one.paths(scope), ...other.paths(scope)],
  };
}

/** Selects rows by integer ids. */
export function idSelection(ids: readonly number[]): Selection {
  const list = JSON.stringify([...new Set(ids)]);
  const fraction = Math.min(1, 0.0005 * ids.length);
  const condition = onColumn(
    (own) => identifier(own, "rowid"),
    null,
    (of) => sql`${of} in (select value from json_each(${list}))`,
    fraction,
  );
  const path = {
    rowIds: sql`select value as row from json_each(${list})`,
    isDistinct: true,
    covers: [condition],
    inScope: false,
    read: fraction,
    found: fraction,
  };
  return { conditions: [condition], paths: () => [path] };
}

/** Plans the page of the matching rows by the cheapest path. */
export function selectedPage(
  list: List,
  { scope, paging, standing = [], totals }: ListRequest,
  { conditions: selecting, paths }: Selection,
): ListPlan {
  const { table, alias, indexes = [] } = list;
  const conditions = [...selecting, ...standing];
  const isCounted = totals?.length !== 0;
  // A page by its number may lie past the end and then has no row with the total.
  const hasTotal = isCounted && (paging.page <= 1 || paging.after !== null);
  const read = readOf(list, paging);
  const path = chooseByTime([
    ...indexPaths({ table, indexes }, scope, conditions),
    ...paths(scope).map((path) => withRowConditions(path, conditions)),
  ], { table, scope, conditions });
  const tests = conditions.map(({ test }) => test(alias));
  if (!path) {
    const ids = idsInOrder(read, scope, conditions.map(({ test }) => test("y")));
    const rows = matching(list, scope, tests, sql`count(*)`);
    const isThere = () =>
      sql`exists (${matching(list, scope, tests, sql`1`)} limit 1 offset ${bounded(read.offset)})`;
    const total = hasTotal ? sql`(${rows})` : null;
    const page = pageBy(list, scope, read, { ids, conditions: tests, total, isThere });
    const count = () => statementOf(sql`select (${rows}) as n`, scope);
    return { page, totals: () => isCounted ? [count()] : [], hasTotal, effort: "scan" };
  }
  const plan = planPage(read, scope, conditions, path);
  const ids = read.isDeep || scope.streams ? firstOf(read, plan.ids) : plan.ids;
  const isThere = () => sql`${plan.total} > ${bounded(read.offset)}`;
  const count = () => statementOf(countMatching(table, scope, conditions, path), scope);
  return {
    page: pageBy(list, scope, read, {
      tables: plan.tables,
      total: hasTotal ? plan.total : null,
      ids,
      conditions: [],
      isThere,
    }),
    totals: () => isCounted ? [count()] : [],
    hasTotal,
    effort: path.read < broad && path.found < broad ? "few" : "scan",
  };
}

/** Counts the selected rows by the values of a column. Returns one row with a column for each value. */
export function countsBy(
  { table, alias, indexes = [] }: List,
  scope: Scope,
  { conditions, paths }: Selection,
  grouped: { readonly column: string; readonly values: readonly string[] },
): Statement {
  const path = choosePath(
    [
      ...indexPaths({ table, indexes }, scope, conditions, grouped.column),
      ...paths(scope).map((each) => withRowConditions(each, conditions)),
    ],
    conditions,
    { carries: true },
  );
  if (path) return statementOf(countEach(table, scope, conditions, path, grouped), scope);
  const tests = conditions.map(({ test }) => test(alias));
  const sums = grouped.values.map((value) =>
    sql`coalesce(sum(${identifier(alias, grouped.column)} = ${value}), 0) as ${identifier(value)}`
  );
  const columns = joined(sums, ", ");
  const terms = joined([inScope(scope, alias), ...tests], " and ");
  return statementOf(
    sql`select ${columns} from ${identifier(table)} ${identifier(alias)} where ${terms}`,
    scope,
  );
}

/** A path that reads at least this share of all rows counts as a scan. */
const broad = 0.25;

function statementOf(statement: Sql, { companyId }: Scope): Statement {
  return { sql: statement.sql, args: statement.args, ...asideFor(companyId, 0, [statement]) };
}

/** Lists of rows that conditions select: the page and the exact total, by the path that costs least. */
import type { Context } from "../db/context.ts";
import { inScope, type Scope } from "../db/scope.ts";
import { bounded, identifier, joined, type Sql, sql } from "../db/statements.ts";
import type { Effort, Result, Row, Statement } from "../platform/database/database.ts";
import { type AccessPath, choosePath, indexPaths, withRowConditions } from "./access_path.ts";
import type { ListCondition } from "./conditions.ts";
import { mostInPlace } from "./large_pages.ts";
import {
  asideFor,
  firstOf,
  idsInOrder,
  type ListSource,
  matching,
  pageBy,
  type Paging,
  readOf,
} from "./pages.ts";
import { countEach, countMatching, planPage } from "./plan.ts";

/** Which rows of its scope a list shows. */
export interface Selection {
  /** All must hold. */
  readonly conditions: readonly ListCondition[];
  /** Paths to the rows beside those that the indexes of the list's own columns offer. */
  readonly paths: (scope: Scope) => readonly AccessPath[];
}

/** A page of selected rows, and what it takes to read it. */
export interface SelectedPage {
  /** Every row has `page_total`, the number of all rows that match. */
  readonly page: Statement;
  readonly count: Statement;
  /** `scan`: no index finds a small part of the rows. */
  readonly effort: Effort;
}

/** The page of the rows that match, by the path that costs least. */
export function selectedPage(
  source: ListSource,
  scope: Scope,
  paging: Paging,
  { conditions, paths }: Selection,
): SelectedPage {
  const { table, alias, indexes = [] } = source;
  const read = readOf(source, paging);
  const path = choosePath([
    ...indexPaths({ table, indexes }, scope, conditions),
    ...paths(scope).map((path) => withRowConditions(path, conditions)),
  ], conditions);
  const tests = conditions.map(({ test }) => test(alias));
  if (!path) {
    const ids = idsInOrder(read, scope, conditions.map(({ test }) => test("y")));
    const rows = matching(source, scope, tests, "count(*)");
    const isThere = sql`exists (${matching(source, scope, tests, "1")} limit 1 offset ${
      bounded(read.offset)
    })`;
    const page = pageBy(source, scope, read, { ids, conditions: tests, total: sql`(${rows})`, isThere });
    return { page, count: statementOf(sql`select (${rows}) as n`, scope), effort: "scan" };
  }
  const plan = planPage(read, scope, conditions, path);
  const ids = read.isDeep || scope.streams ? firstOf(read, plan.ids) : plan.ids;
  const isThere = sql`${plan.total} > ${bounded(read.offset)}`;
  return {
    page: pageBy(source, scope, read, { ...plan, ids, conditions: [], isThere }),
    count: statementOf(sql`select (${countMatching(table, scope, conditions, path)}) as n`, scope),
    effort: path.read < broad && path.found < broad ? "few" : "scan",
  };
}

/**
 * Reads a selected page with its total; a page past the end is counted by a second read. `isAside`: it is read beside
 * other calls even if an index finds few rows.
 */
export async function readSelected(
  { caller: { companyId: company }, deps: { db } }: Pick<Context, "caller" | "deps">,
  { page: number, per_page, after }: Paging,
  { page, count, effort }: SelectedPage,
  isAside: boolean,
): Promise<{ rows: Row[]; total: number }> {
  const read = (statement: Statement): Promise<Result[]> =>
    isAside || effort === "scan" || per_page > mostInPlace
      ? db.readAside([statement], { effort, company })
      : db.read([statement]);
  const [{ rows }] = await read(page) as [Result];
  if (rows.length > 0) return { rows, total: Number(rows[0]!.page_total) };
  if (number <= 1 && !after) return { rows, total: 0 };
  const [counted] = await read(count);
  return { rows, total: Number(counted!.rows[0]!.n) };
}

/** Counts the selected rows by the values that a column may have: one row, with a column named for each value. */
export function countsBy(
  { table, alias, indexes = [] }: ListSource,
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

/** From this part of all rows on a path is expected to read much. */
const broad = 0.25;

function statementOf(statement: Sql, { companyId }: Scope): Statement {
  return { sql: statement.sql, args: statement.args, ...asideFor(companyId, 0, [statement]) };
}

/** Counts of a list by the values of a column. */
import type { Scope } from "../db/scope.ts";
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import { choosePath, indexPaths, withRowConditions } from "./access_path.ts";
import type { List } from "./list.ts";
import { countEach } from "./plan.ts";
import type { Selection } from "./selection.ts";
import { selectMatching } from "./totals.ts";

/** Counts the selected rows by the values of a column. Returns one row with a column for each value. */
export function selectCountsBy(
  { table, alias, indexes = [] }: Pick<List, "table" | "alias" | "indexes">,
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
  let counts: Sql;
  if (path) counts = countEach(table, scope, conditions, path, grouped);
  else {
    const tests = conditions.map(({ test }) => test(alias));
    const sums = grouped.values.map((value) =>
      sql`coalesce(sum(${identifier(alias, grouped.column)} = ${value}), 0) as ${identifier(value)}`
    );
    counts = selectMatching({ table, alias }, scope, tests, joinSql(sums, ", "));
  }
  return conditions.some(({ findsWords }) => findsWords)
    ? { ...counts, threaded: { effort: "few", company: scope.companyId } }
    : counts;
}

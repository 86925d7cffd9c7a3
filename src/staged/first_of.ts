/** Selects the records of a step from one or several selects. */
import { bindRows, joinSql, type Sql, sql } from "../db/statements.ts";

/**
 * SQL: the ids of the selects that meet a condition on `id`, at most `most`. Reads no more than as many of each
 * select, so that a step does not sort a million ids.
 */
export function selectFirst(ids: Sql | readonly Sql[], condition: Sql, most: number): Sql {
  const first = (part: Sql) => sql`select id from (${part}) where ${condition} limit ${bindRows(most)}`;
  if ("sql" in ids) return first(ids);
  const parts = ids.map((part) => sql`select id from (${first(part)})`);
  return sql`select id from (${joinSql(parts, " union ")}) limit ${bindRows(most)}`;
}

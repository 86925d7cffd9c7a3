/** Case-insensitive text. SQLite lowers ASCII letters only, so rows store other texts in lower case. */

import { identifier, literal, type Sql, sql } from "./statements.ts";

/**
 * SQL: a text of a row in lower case, exactly as in the indexes of the tables. `alias` null: inside an index.
 * The row has `folded`, JSON of the texts that SQLite's `lower` cannot convert.
 */
export function caseFoldSql(alias: string | null, name: string): Sql {
  const of = (column: string) => alias === null ? identifier(column) : identifier(alias, column);
  const folded = sql`${of("folded")} ->> ${literal(name)}`;
  // Not `coalesce`: drizzle-kit takes a comma for the end of the column.
  return sql`case when ${folded} is null then lower(${of(name)}) else ${folded} end`;
}

/** Case-insensitive text. SQLite lowers ASCII letters only, so rows store other texts in lower case. */

import { identifier, literal, type Sql, sql } from "./statements.ts";

/**
 * SQL: a text of a row in lower case, exactly as in the indexes of the tables. `alias` null: inside an index.
 * The row has `folded`, JSON of the texts that SQLite's `lower` cannot convert.
 */
export function caseFoldSql(alias: string | null, name: string): Sql {
  const [column, texts] = alias === null
    ? [identifier(name), identifier("folded")]
    : [identifier(alias, name), identifier(alias, "folded")];
  const folded = sql`${texts} ->> ${literal(name)}`;
  // Not `coalesce`: drizzle-kit takes a comma for the end of the column.
  return sql`case when ${folded} is null then lower(${column}) else ${folded} end`;
}

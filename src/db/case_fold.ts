/**
 * Case-insensitive text. SQLite's `lower` converts ASCII letters only, so rows also store other texts in
 * lower case.
 */
import { sql as drizzleSql } from "drizzle-orm";
import { identifier, literal, type Sql, sql } from "./statements.ts";

/**
 * SQL: a text of a row in lower case, written exactly as in the indexes of the tables. `alias` is null inside
 * an index. The column `folded` of the row is JSON of the texts that SQLite's `lower` cannot convert.
 */
export function composeCaseFold(alias: string | null, name: string): Sql {
  const [column, texts] = alias === null
    ? [identifier(name), identifier("folded")]
    : [identifier(alias, name), identifier(alias, "folded")];
  const folded = sql`${texts} ->> ${literal(name)}`;
  // `coalesce` does not work here, because drizzle-kit takes its comma for the end of the column.
  return sql`case when ${folded} is null then lower(${column}) else ${folded} end`;
}

/** Returns `composeCaseFold` for an index of a table. */
export function foldInIndex(name: string) {
  return drizzleSql.raw(composeCaseFold(null, name).sql);
}

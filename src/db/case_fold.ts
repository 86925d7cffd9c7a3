/** Case-insensitive text. SQLite lowers ASCII letters only, so rows store other texts in lower case. */

/**
 * SQL: a text of a row in lower case, exactly as in the indexes of the tables. `alias` null: inside an index.
 * The row has `folded`, JSON of the texts that SQLite's `lower` cannot convert.
 */
export function caseFoldSql(alias: string | null, name: string): string {
  const of = alias === null ? "" : `${alias}.`;
  // Not `coalesce`: drizzle-kit takes a comma for the end of the column.
  return `case when ${of}folded ->> '${name}' is null then lower(${of}${name}) else ${of}folded ->> '${name}' end`;
}

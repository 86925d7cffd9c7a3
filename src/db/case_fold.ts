/** Texts without regard to case. SQLite knows the letters of ASCII alone, so the others are kept ready. */

/**
 * SQL: a text of a row in lower case, as the indexes of the tables have it, word for word. `alias` null: as in
 * an index. The row has `folded`, JSON of the texts that differ from SQLite's `lower`.
 */
export function caseFoldSql(alias: string | null, name: string): string {
  const of = alias === null ? "" : `${alias}.`;
  // Not `coalesce`: the generator of migrations takes a comma for the end of the column.
  return `case when ${of}folded ->> '${name}' is null then lower(${of}${name}) else ${of}folded ->> '${name}' end`;
}

/** The indexes of a table, as its Drizzle table declares them. */
import { type Column, is, SQL, StringChunk } from "drizzle-orm";
import { getTableConfig, SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";

export interface TableIndex {
  /** Null: SQLite created it for a unique column. */
  readonly name: string | null;
  /** Columns and expressions in index order, without an alias. */
  readonly columns: readonly string[];
  /**
   * The condition of a partial index: the expression that is not null or has a certain state. Null: it has
   * every row.
   */
  readonly present: string | null;
}

/**
 * Returns the indexes of the table. Of partial indexes by state, returns only those for `state`; the list
 * must have that condition on the column.
 */
export function listIndexes(
  table: SQLiteTable,
  state: { readonly column: string; readonly condition: string } | null = null,
): TableIndex[] {
  const { columns, indexes } = getTableConfig(table);
  const unique = columns.filter((column) =>
    column.isUnique || (column.primary && column.dataType === "string")
  );
  const declared = indexes.flatMap(({ config: { name, columns, where } }) => {
    const condition = where ? writeText(where) : null;
    if (state && condition === state.condition) {
      return [{ name, columns: columns.map(writeText), present: state.column }];
    }
    const present = condition === null ? null : /^(.*) is not null$/s.exec(condition)?.[1];
    if (present === undefined || / and /i.test(present ?? "")) return [];
    return [{ name, columns: columns.map(writeText), present }];
  });
  return [...declared, ...unique.map(({ name }) => ({ name: null, columns: [name], present: null }))];
}

function writeText(part: SQL | Column): string {
  if (is(part, SQLiteColumn)) return part.name;
  if (!is(part, SQL)) return "";
  return part.queryChunks.map((chunk) => {
    if (is(chunk, StringChunk)) return chunk.value.join("");
    return is(chunk, SQL) || is(chunk, SQLiteColumn) ? writeText(chunk) : "";
  }).join("").trim();
}

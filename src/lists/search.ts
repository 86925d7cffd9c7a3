/** Words as conditions of a list. */
import { searchMatch } from "../core/text.ts";
import { indexed, raw, type Sql } from "../db/statements.ts";

/**
 * Words of one full-text query: it reads all that begins so before it can be ended, which at a million rows takes
 * up to 60 ms for a word of one letter. The others are asked for in queries of their own.
 */
const together = 8;

/** Rows in which each word of the search begins some word; none: the search has no word. `index` is full-text. */
export function searched(column: string, index: string, scope: string, search: string | undefined): Sql[] {
  const match = search === undefined ? null : searchMatch(scope, search);
  if (match === null) return [];
  // Long words leave the fewest rows.
  const words = match.split(" AND ").sort((one, other) => other.length - one.length);
  const queries = Array.from(
    { length: Math.ceil(words.length / together) },
    (_, n) => words.slice(n * together, (n + 1) * together).join(" AND "),
  );
  const terms = queries.map((_, n) =>
    `${n === 0 ? "" : "+"}${column} in (select rowid from ${index} where ${index} match ?)`
  );
  const all = terms.length === 1 ? terms[0]! : `(${terms.join(" and ")})`;
  return [indexed("alone", raw(all, ...queries))];
}

/** Words as conditions of a list. */
import { searchMatch } from "../core/text.ts";
import { identifier, joined, type Sql, sql } from "../db/statements.ts";
import { type ListCondition, onColumn } from "./conditions.ts";
import { type Selection, unfiltered } from "./selection.ts";

/**
 * Words of one full-text query: it reads all that begins so before it can be ended, which at a million rows takes
 * up to 60 ms for a word of one letter. The others are asked for in queries of their own.
 */
const together = 8;

/** Selects the rows in which each word of the search begins some word. `index` is full-text. */
export function searchSelection(index: string, scope: string, search: string | undefined): Selection {
  const [first, ...others] = queriesOf(scope, search);
  if (first === undefined) return unfiltered;
  const fraction = fractionOf(search!);
  const words = identifier(index);
  const rows = (query: string) => sql`select rowid as row from ${words} where ${words} match ${query}`;
  const among = (of: Sql, queries: readonly string[]) =>
    joined(queries.map((query) => sql`${of} in (${rows(query)})`), " and ");
  const condition: ListCondition = onColumn(
    (own) => identifier(own, "rowid"),
    null,
    (of) => sql`(${among(of, [first, ...others])})`,
    fraction,
  );
  const rowIds = others.length === 0
    ? rows(first)
    : sql`select row from (${rows(first)}) where ${among(sql`row`, others)}`;
  return {
    conditions: [condition],
    paths: ({ streams }) => [
      {
        rowIds,
        isDistinct: true,
        covers: [condition],
        inScope: streams === null,
        read: fraction,
        found: fraction,
      },
    ],
  };
}

/** About which part of the rows has a word that begins with the longest word of the search. */
function fractionOf(search: string): number {
  const longest = Math.max(...search.split(/\s+/).map((word) => [...word].length));
  return [1, 0.1, 0.02, 0.005, 0.002, 0.001][longest] ?? 0.0002;
}

/** Full-text queries that must all match; none: the search has no word. */
function queriesOf(scope: string, search: string | undefined): string[] {
  const match = search === undefined ? null : searchMatch(scope, search);
  if (match === null) return [];
  // Long words leave the fewest rows.
  const words = match.split(" AND ").sort((one, other) => other.length - one.length);
  return Array.from(
    { length: Math.ceil(words.length / together) },
    (_, n) => words.slice(n * together, (n + 1) * together).join(" AND "),
  );
}

/** Search words as conditions of a list. */
import { searchMatch } from "../core/text.ts";
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import { type ListCondition, onColumn } from "./conditions.ts";
import { type Selection, unfiltered } from "./selection.ts";

/**
 * The most words in one full-text query. A query cannot be interrupted before it has read all entries with a
 * prefix, which takes up to 60 ms for one letter at a million rows. Further words get queries of their own.
 */
const together = 8;

/** Selects the rows in which each search word is the prefix of some word. `index`: the full-text index. */
export function searchSelection(index: string, scope: string, search: string | undefined): Selection {
  const [first, ...others] = makeQueries(scope, search);
  if (first === undefined) return unfiltered;
  const fraction = estimateFraction(search!);
  const words = identifier(index);
  const rows = (query: string) => sql`select rowid as row from ${words} where ${words} match ${query}`;
  const among = (of: Sql, queries: readonly string[]) =>
    joinSql(queries.map((query) => sql`${of} in (${rows(query)})`), " and ");
  const condition: ListCondition = {
    ...onColumn(
      (own) => identifier(own, "rowid"),
      null,
      (of) => sql`(${among(of, [first, ...others])})`,
      fraction,
    ),
    findsWords: true,
  };
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

/** Estimates the share of rows with a word that starts with the longest search word. */
function estimateFraction(search: string): number {
  const longest = Math.max(...search.split(/\s+/).map((word) => [...word].length));
  return [1, 0.1, 0.02, 0.005, 0.002, 0.001][longest] ?? 0.0002;
}

/** Returns the full-text queries that must all match; none if the search has no word. */
function makeQueries(scope: string, search: string | undefined): string[] {
  const match = search === undefined ? null : searchMatch(scope, search);
  if (match === null) return [];
  // Long words match the fewest rows.
  const words = match.split(" AND ").sort((one, other) => other.length - one.length);
  return Array.from(
    { length: Math.ceil(words.length / together) },
    (_, n) => words.slice(n * together, (n + 1) * together).join(" AND "),
  );
}

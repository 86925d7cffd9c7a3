/** Which page of a list is read, and in which order. */
import type { Sql } from "../db/statements.ts";
import type { Aside } from "../platform/database/database.ts";

export interface Sort {
  /** A column without nulls. */
  readonly column: string;
  readonly descending: boolean;
}

export interface Paging {
  readonly page: number;
  readonly per_page: number;
  readonly sort: Sort;
  /** Sort value and id of the last row of the previous page, after which this one begins. */
  readonly after: readonly [string | number, string | number] | null;
}

/**
 * The database puts this many of the largest records together (leads with their types, cases with their
 * tasks) within 50 ms or so; larger pages are read beside other calls.
 */
export const mostInPlace = 15;

/** A page that skips more rows is read beside other calls. */
export const mostSkipped = 1_000;

/** The number of rows before the page; none when it begins after a given row. */
export function skippedBy({ page, per_page, after }: Paging): number {
  return after ? 0 : (Math.max(1, page) - 1) * per_page;
}

/** Part of a statement: a page that skips many rows or searches words is read beside other calls. */
export function asideFor(
  company: number,
  skipped: number,
  conditions: readonly Sql[] = [],
): { aside?: Aside } {
  if (skipped > mostSkipped) return { aside: { effort: "scan", company } };
  const findsWords = conditions.some(({ sql: text }) => text.includes(" match ?"));
  return findsWords ? { aside: { effort: "few", company } } : {};
}

/** The page and order of a list. */
import type { ThreadedRead } from "../platform/database/database.ts";

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
  /** The number of rows before the page; 0 when it begins after a given row. */
  readonly offset: number;
}

/**
 * The database builds this many of the largest records (leads with their types, cases with their tasks) in
 * about 50 ms. Larger pages are read in a separate thread.
 */
export const mostInPlace = 15;

/** A page that skips more rows is read in a separate thread. */
export const mostSkipped = 1_000;

/** The part of a statement that sends a page to a separate thread when it skips many rows. */
export function threadDeepPages(company: number, skipped: number): { threaded?: ThreadedRead } {
  return skipped > mostSkipped ? { threaded: { effort: "scan", company } } : {};
}

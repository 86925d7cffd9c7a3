/** How the rows of a list are found by some index, for lists that tell by themselves whether that is worth it. */
import type { Scope, Stream } from "../db/scope.ts";
import type { IndexKind, Sql } from "../db/statements.ts";

/**
 * A list reads its rows from where they are found as long as they are not more than these. Below it, to sort
 * what was found is faster than to go through the list in its order until a page is full.
 */
export const maxSortedRows = 2_000;

/** The same where no index counts the rows that match: all that are found are read for their number anyway. */
export const maxRowsRead = 20_000;

/** A way to find the rows of a list, for lists that tell by themselves whether it is worth it. */
export interface AccessPath {
  readonly index: IndexKind;
  /** All conditions of the list, one of which finds the rows. */
  readonly conditions: readonly Sql[];
  /**
   * SQL without a row: whether it finds few, where no index counts them. Otherwise a page is read in the list's
   * order.
   */
  readonly isSelective: Sql;
  /** How many rows there are, where the index that finds them tells it alone; else the rows are read. */
  readonly count?: IndexCount | null;
  /** What finds them, where that is their `seq`. */
  readonly rowIdSet?: RowIdSet | null;
  /** `… as materialized (…)`: what the conditions, the hits and the count name, so that it is read but once. */
  readonly table?: Sql | null;
  /** How those in the streams alone are found; null: not these streams. */
  readonly forTeams?: (streams: readonly Stream[]) => AccessPath | null;
}

/** A count over the entries of an index, for those who see all that it finds. */
export interface IndexCount {
  /** `select count(…)`. */
  readonly rows: Sql;
  /** Without it the index does not tell. Absent: it always does. */
  readonly given?: Sql;
}

/** The rows of a list by what an index has of them. */
export interface RowIdSet {
  /** A select of their `seq`. */
  readonly rowIds: Sql;
  /** What else must hold. */
  readonly rest: readonly Sql[];
}

/** How the caller's rows are found. */
export function accessPathFor(finding: AccessPath, { streams }: Scope): AccessPath {
  return streams ? finding.forTeams?.(streams) ?? { ...finding, count: null } : finding;
}

/** Access paths: the indexes that find the rows of a list without reading all, and their costs. */
import { composeStreamTerms, type Scope, type Stream } from "../db/scope.ts";
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import type { ColumnCondition, ListCondition } from "./conditions.ts";
import type { TableIndex } from "./indexes.ts";

export interface AccessPath {
  /** A select of row numbers, as `row`. If `carries` is set, also selects that column, under its name. */
  readonly rowIds: Sql;
  /**
   * The common table expressions that `rowIds` reads: `… as materialized (…)`, to follow the statement's
   * `with`.
   */
  readonly tables?: Sql;
  /** The requested column, if the path's index has it. */
  readonly carries?: string;
  /** Whether it returns each row once. */
  readonly isDistinct: boolean;
  /** Whether the row numbers ascend. */
  readonly isOrdered?: boolean;
  /** The conditions that all returned rows meet. */
  readonly covers: readonly ListCondition[];
  /** Whether it returns only rows of the company, and only rows of the scope's streams. */
  readonly inScope: boolean;
  /** Set if the path searches by a range of time. */
  readonly timed?: TimedEntries;
  /** SQL: the number of rows that it finds, where counters know it. */
  readonly size?: Sql;
  /** Whether nothing is known about how many rows it finds. */
  readonly isGuess?: boolean;
  /** The estimated share of a company's rows that it reads in its index, and that it returns. */
  readonly read: number;
  readonly found: number;
}

export interface TimedEntries {
  readonly column: ColumnCondition;
  /** Whether the index orders all rows of the company by the column. */
  readonly isOrder: boolean;
  /**
   * SQL: a select over the index entries `c` that meet `by`, by default those that the path reads. An empty
   * `by` selects all entries of the company.
   */
  readonly select: (columns: Sql, by?: readonly ListCondition[]) => Sql;
}

/** A table with its indexes. */
export interface IndexedTable {
  readonly table: string;
  readonly indexes: readonly TableIndex[];
}

/** The cost of reading a row, in index entries. */
const rowCost = 8;
/** The cost of looking up the values or records of a row, in index entries. */
const lookupCost = 8;
/**
 * The cost of adding an entry to a set, in index entries, unless entries arrive in order. A lookup costs as
 * much as reading an entry.
 */
const setCost = 3;

/**
 * Returns the cheapest path, or pair of paths; null if there is none. `carries`: whether the requested column
 * is needed, so that rows are read if the index does not have it.
 */
export function choosePath(
  paths: readonly AccessPath[],
  conditions: readonly ListCondition[],
  { carries = false } = {},
): AccessPath | null {
  const single = findCheapest(paths, conditions, carries);
  if (!single) return null;
  const pairs = [];
  for (const path of paths) {
    if (path === single || path.covers.every((each) => single.covers.includes(each))) continue;
    pairs.push(intersectPaths(single, path), intersectPaths(path, single));
  }
  return findCheapest([single, ...pairs], conditions, carries);
}

/** The first of the cheapest paths; null if there is none. */
export function findCheapest(
  paths: readonly AccessPath[],
  conditions: readonly ListCondition[],
  carries = false,
): AccessPath | null {
  let [best, least]: [AccessPath | null, number] = [null, Infinity];
  for (const path of paths) {
    const cost = estimateCost(path, conditions, carries);
    if (best === null || cost < least) [best, least] = [path, cost];
  }
  return best;
}

/** The estimated cost of the path in index entries, as a share of the company's rows. */
export function estimateCost(
  path: AccessPath,
  conditions: readonly ListCondition[],
  carries = false,
): number {
  const readsRows = !isComplete(path, conditions) || (carries && !path.carries);
  if (!readsRows) return path.read + path.found;
  // Conditions on the row's own columns are tested first. Each other condition that is left takes a lookup.
  let [passed, lookups] = [1, 0];
  for (const condition of conditions) {
    if (path.covers.includes(condition)) continue;
    if (condition.column) passed *= condition.fraction;
    else lookups++;
  }
  return path.read + path.found * (rowCost + lookupCost * passed * lookups);
}

/** Returns whether the path returns exactly the rows of the list. */
export function isComplete(path: AccessPath, conditions: readonly ListCondition[]): boolean {
  return path.inScope && conditions.every((condition) => path.covers.includes(condition));
}

/**
 * Combines two paths: returns rows of the first that are in the set of the second. SQLite would go through
 * the set instead, and look up each of its rows in the first path, without the `+`.
 */
function intersectPaths(first: AccessPath, second: AccessPath): AccessPath {
  return {
    get rowIds() {
      return sql`select ${selectPathColumns(first)} from (${first.rowIds}) where +row in (select row
        from (${second.rowIds}))`;
    },
    ...(first.carries !== undefined && { carries: first.carries }),
    isDistinct: first.isDistinct,
    covers: [...first.covers, ...second.covers.filter((each) => !first.covers.includes(each))],
    inScope: first.inScope || second.inScope,
    read: first.read + first.found + second.read + second.found * (second.isOrdered ? 1 : setCost),
    found: first.found * second.found,
  };
}

/** SQL: the columns that a path returns. */
export function selectPathColumns({ carries }: Pick<AccessPath, "carries">): Sql {
  return carries === undefined ? sql`row` : sql`row, ${identifier(carries)}`;
}

/** Adds the conditions on row numbers, which need no read of a row. */
export function withRowConditions(path: AccessPath, conditions: readonly ListCondition[]): AccessPath {
  const more = conditions.filter((each) => each.column?.name === "rowid" && !path.covers.includes(each));
  if (more.length === 0) return path;
  const terms = joinSql(more.map(({ column }) => column!.compare(sql`row`)), " and ");
  return {
    ...path,
    rowIds: sql`select row from (${path.rowIds}) where ${terms}`,
    covers: [...path.covers, ...more],
    found: more.reduce((part, { fraction }) => part * fraction, path.found),
  };
}

/**
 * Returns the paths by the table's indexes for conditions on its columns. `carried`: a column that the paths
 * return with the row numbers if the index has it.
 */
export function indexPaths(
  { table, indexes }: IndexedTable,
  { companyId, streams }: Scope,
  conditions: readonly ListCondition[],
  carried: string | null = null,
): AccessPath[] {
  return indexes.flatMap((index) => {
    const inCompany = index.columns[0] === "company_id";
    const columns = inCompany ? index.columns.slice(1) : index.columns;
    if (index.name === null) return [];
    const { searched, stream } = chooseSearched(columns, conditions, streams);
    if (searched.length === 0 && !stream) return [];
    const named = searched.map(({ column }) => column!.name);
    if (index.present !== null && !named.includes(index.present)) return [];
    const covers = conditions.filter(({ column }) =>
      column && [...index.columns, "rowid"].includes(column.name)
    );
    const seen = streams?.every(({ column }) => index.columns.includes(column)) ?? true;
    let read = stream ? Math.min(1, stream.values.length * teamPart) : 1;
    for (const { fraction } of searched) read *= fraction;
    let found = seen ? streamPart(streams) : 1;
    for (const { fraction } of covers) found *= fraction;
    const carries = carried !== null && index.columns.includes(carried) ? carried : undefined;
    const select = (columns: Sql, by: readonly ListCondition[] = searched, more: readonly Sql[] = []) => {
      const each = stream ? sql`json_each(${JSON.stringify(stream.values)}) s cross join ` : sql``;
      const terms = [
        ...(inCompany ? [sql`c.company_id = ${companyId}`] : []),
        ...(stream ? [sql`${identifier("c", stream.column)} is s.value`] : []),
        ...by.map(({ column }) => column!.compare(column!.of("c"))),
        ...more,
      ];
      return sql`select ${columns} from ${each}${identifier(table)} c indexed by ${identifier(index.name!)}
        where ${joinSql(terms, " and ")}`;
    };
    const last = searched.at(-1)?.column;
    return [{
      ...(carries !== undefined && { carries }),
      // Built only for the chosen path.
      get rowIds() {
        return select(
          carries === undefined ? sql`c.rowid as row` : sql`c.rowid as row, ${identifier("c", carries)}`,
          searched,
          [
            ...covers.filter((condition) => !searched.includes(condition)).map(({ test }) => test("c")),
            ...(streams && seen && !stream
              ? [sql`(${joinSql(composeStreamTerms(streams, "c", "+"), " or ")})`]
              : []),
          ],
        );
      },
      ...(last?.isTime && last.search === "range"
        ? {
          timed: {
            column: last,
            isOrder: inCompany && columns[0] === last.name && index.present === null,
            select,
          },
        }
        : {}),
      isDistinct: true,
      isOrdered: searched.length === columns.length &&
        searched.every(({ column }) => column!.search === "equal"),
      covers,
      inScope: inCompany && seen,
      read,
      found,
    }];
  });
}

/** The estimated share of the rows of one team. */
const teamPart = 0.02;

/** Returns the estimated share of a company's rows that are in any of the streams. Null: all. */
export function streamPart(streams: readonly Stream[] | null): number {
  return streams ? Math.min(1, streams.reduce((sum, { values }) => sum + values.length * teamPart, 0)) : 1;
}

/**
 * Returns the conditions that an index can search by: equalities in the order of its columns, then one range.
 */
function chooseSearched(
  columns: readonly string[],
  conditions: readonly ListCondition[],
  streams: readonly Stream[] | null,
): { searched: ListCondition[]; stream: Stream | null } {
  const searched: ListCondition[] = [];
  let stream: Stream | null = null;
  for (const name of columns) {
    const onColumn = conditions.filter(({ column }) => column?.name === name);
    const equal = onColumn.find(({ column }) => column!.search === "equal");
    if (equal) {
      searched.push(equal);
      continue;
    }
    // Each value of a stream is a search of its own.
    if (!stream && streams?.length === 1 && streams[0]!.column === name) {
      stream = streams[0]!;
      continue;
    }
    searched.push(...onColumn.filter(({ column }) => column!.search === "range"));
    break;
  }
  return { searched, stream };
}

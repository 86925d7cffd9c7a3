/** How the rows of a list are found without reading all: which index finds them, and what it costs. */
import { type Scope, type Stream, streamTerms } from "../db/scope.ts";
import { identifier, joined, type Sql, sql } from "../db/statements.ts";
import type { ColumnCondition, ListCondition } from "./conditions.ts";
import type { TableIndex } from "./indexes.ts";

export interface AccessPath {
  /** A select of row numbers, as `row`; an index that has the column asked for returns it, too. */
  readonly rowIds: Sql;
  readonly carries?: boolean;
  /** Whether it returns each row once. */
  readonly isDistinct: boolean;
  /** Whether the row numbers ascend. */
  readonly isOrdered?: boolean;
  /** The conditions that hold for all that it returns. */
  readonly covers: readonly ListCondition[];
  /** Whether it returns rows of the company alone, and of the scope's streams alone. */
  readonly inScope: boolean;
  /** About which part of a company's rows it reads in its index, and which part it returns. */
  readonly read: number;
  readonly found: number;
}

/** A table whose rows are found by its indexes. */
export interface IndexedTable {
  readonly table: string;
  readonly indexes: readonly TableIndex[];
}

/** To read a row costs so many times what it costs to read an entry of an index. */
const rowCost = 8;
/** To look for the values or records of a row, the same. */
const lookupCost = 8;
/** To put an entry into a set, the same, unless they come in order; to look one up costs as much as to read it. */
const setCost = 3;

/**
 * The least costly of the paths, or of two together; null: there is none. `carries`: whether rows are read for their
 * column where the index does not have it.
 */
export function choosePath(
  paths: readonly AccessPath[],
  conditions: readonly ListCondition[],
  { carries = false } = {},
): AccessPath | null {
  const readsRows = (path: AccessPath) => !isComplete(path, conditions) || (carries && !path.carries);
  const cost = (path: AccessPath) =>
    path.read + path.found * (readsRows(path) ? rowCost + lookupCost * lookups(path, conditions) : 1);
  const best = (from: readonly AccessPath[]) =>
    from.reduce<AccessPath | null>((least, path) => least && cost(least) <= cost(path) ? least : path, null);
  const single = best(paths);
  if (!single) return null;
  const pairs = paths.filter((path) =>
    path !== single && path.covers.some((each) => !single.covers.includes(each))
  )
    .flatMap((path) => [together(single, path), together(path, single)]);
  const pair = best(pairs);
  return pair && cost(pair) < cost(single) ? pair : single;
}

/** How many lookups a row costs on average: the conditions on its own columns are tested first. */
function lookups({ covers }: AccessPath, conditions: readonly ListCondition[]): number {
  const tests = conditions.filter((condition) => !covers.includes(condition));
  const passed = tests.reduce((part, { column, fraction }) => column ? part * fraction : part, 1);
  return passed * tests.filter(({ column }) => column === null).length;
}

/** Whether the path returns the rows of the list and no others. */
export function isComplete(path: AccessPath, conditions: readonly ListCondition[]): boolean {
  return path.inScope && conditions.every((condition) => path.covers.includes(condition));
}

/** Rows that both paths return: those of the first that are in the set of the second. */
function together(first: AccessPath, second: AccessPath): AccessPath {
  return {
    get rowIds() {
      return sql`select row from (${first.rowIds}) where row in (select row from (${second.rowIds}))`;
    },
    isDistinct: first.isDistinct,
    covers: [...first.covers, ...second.covers.filter((each) => !first.covers.includes(each))],
    inScope: first.inScope || second.inScope,
    read: first.read + first.found + second.read + second.found * (second.isOrdered ? 1 : setCost),
    found: first.found * second.found,
  };
}

/** The path with the conditions on row numbers, which need no row to be read. */
export function withRowConditions(path: AccessPath, conditions: readonly ListCondition[]): AccessPath {
  const more = conditions.filter((each) => each.column?.name === "rowid" && !path.covers.includes(each));
  if (more.length === 0) return path;
  const terms = joined(more.map(({ column }) => column!.compare(sql`row`)), " and ");
  return {
    ...path,
    rowIds: sql`select row from (${path.rowIds}) where ${terms}`,
    covers: [...path.covers, ...more],
    found: more.reduce((part, { fraction }) => part * fraction, path.found),
  };
}

/**
 * The paths that the indexes of the table offer for conditions on its columns. `carried`: a column that they return
 * beside the row numbers where they can.
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
    const { searched, stream } = searchedBy(columns, conditions, streams);
    if (searched.length === 0 && !stream) return [];
    const named = searched.map(({ column }) => column!.name);
    if (index.present !== null && !named.includes(index.present)) return [];
    const covers = conditions.filter(({ column }) =>
      column && [...index.columns, "rowid"].includes(column.name)
    );
    const seen = streams?.every(({ column }) => index.columns.includes(column)) ?? true;
    const part = (among: readonly ListCondition[]) =>
      among.reduce((rest, { fraction }) => rest * fraction, 1);
    const shown = stream ? Math.min(1, stream.values.length * teamPart) : 1;
    const carries = carried !== null && index.columns.includes(carried);
    return [{
      carries,
      // Made for the path that is chosen alone.
      get rowIds() {
        const terms = [
          ...(inCompany ? [sql`c.company_id = ${companyId}`] : []),
          ...(stream ? [sql`${identifier("c", stream.column)} is s.value`] : []),
          ...searched.map(({ column }) => column!.compare(column!.of("c"))),
          ...covers.filter((condition) => !searched.includes(condition)).map(({ test }) => test("c")),
          ...(streams && seen && !stream ? [sql`(${joined(streamTerms(streams, "c", "+"), " or ")})`] : []),
        ];
        const each = stream ? sql`json_each(${JSON.stringify(stream.values)}) s cross join ` : sql``;
        const columns = carries ? sql`c.rowid as row, ${identifier("c", carried)}` : sql`c.rowid as row`;
        return sql`select ${columns} from ${each}${identifier(table)} c indexed by ${
          identifier(index.name!)
        } where ${joined(terms, " and ")}`;
      },
      isDistinct: true,
      isOrdered: searched.length === columns.length &&
        searched.every(({ column }) => column!.search === "equal"),
      covers,
      inScope: inCompany && seen,
      read: part(searched) * shown,
      found: part(covers) * (streams && seen ? Math.min(1, streamPart(streams)) : 1),
    }];
  });
}

/** About which part of the rows one team has. */
const teamPart = 0.02;

function streamPart(streams: readonly Stream[]): number {
  return streams.reduce((sum, { values }) => sum + values.length * teamPart, 0);
}

/** The conditions that an index searches by: equal ones in the order of its columns, then one range. */
function searchedBy(
  columns: readonly string[],
  conditions: readonly ListCondition[],
  streams: readonly Stream[] | null,
): { searched: ListCondition[]; stream: Stream | null } {
  const searched: ListCondition[] = [];
  let stream: Stream | null = null;
  for (const name of columns) {
    const on = (search: ColumnCondition["search"]) =>
      conditions.filter(({ column }) => column?.name === name && column.search === search);
    const [equal] = on("equal");
    if (equal) {
      searched.push(equal);
      continue;
    }
    // The values of one stream are searched one by one.
    if (!stream && streams?.length === 1 && streams[0]!.column === name) {
      stream = streams[0]!;
      continue;
    }
    searched.push(...on("range"));
    break;
  }
  return { searched, stream };
}

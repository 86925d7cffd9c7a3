/** A page of the rows that a path finds, and their number, as pieces of one statement. */
import { inScope, type Scope, type Stream } from "../db/scope.ts";
import { bounded, joined, raw, rawSql, type Sql, sql } from "../db/statements.ts";
import { type AccessPath, isComplete } from "./access_path.ts";
import type { ListCondition } from "./conditions.ts";
import type { Paging } from "./pages.ts";

/** Rows that a path finds are sorted for the page up to so many, where their number is known without reading them. */
export const maxSortedRows = 5_000;
/** The same where they must be read for their number. */
export const maxRowsRead = 50_000;
/** Up to so many found rows are kept as a set, which the rows of the list are looked up in. */
export const maxRowIds = 20_000;
/**
 * Beyond these limits a page is read in the order of the list: of each stream at most so many rows, or so many for
 * each row of the set. A page that is not full by then is sorted after all, since the rows of a filter may stand at
 * the end of an order.
 */
export const maxScannedRows = 20_000;
const scannedForEach = 2;

/** What a page is read from. */
export interface PageRead {
  readonly table: string;
  readonly id: string;
  readonly paging: Paging;
  /** The page, one row more, and the rows before it. */
  readonly limit: number;
}

export interface PagePlan {
  /** `… as materialized (…)`, behind a `with`. */
  readonly tables: Sql;
  /** Selects ids, those of the page among them; all match. The caller sorts and limits. */
  readonly ids: Sql;
  /** How many rows match. */
  readonly total: Sql;
}

/** Plans a page of the rows for which all conditions hold; `path` finds rows of which some may not match. */
export function planPage(
  read: PageRead,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
): PagePlan {
  const isExact = isComplete(path, conditions);
  const kept = sql`(select n from size)`;
  const isSorted = rawSql(`(select n <= ${isExact ? maxSortedRows : maxRowsRead} from size)`);
  const rows = matchingRows(read, scope, conditions, path, path.rowIds);
  const rowIds = path.isDistinct ? path.rowIds : sql`select distinct row from (${path.rowIds})`;
  const found = isExact
    ? sql`matches(row) as materialized (select row from (${rowIds}) limit ${rawSql(String(maxRowIds + 1))}),
      size(n) as materialized (select count(*) from matches),
      found(id, key) as materialized (${
      matchingRows(read, scope, conditions, path, sql`select row from matches`)
    } limit iif(${isSorted}, -1, 0))`
    : sql`found(id, key) as materialized (${rows} limit ${rawSql(String(maxRowsRead + 1))}),
      size(n) as materialized (select count(*) from found)`;
  const scan = orderedScan(read, scope, conditions, isExact, isSorted);
  // A condition in the place of a limit is evaluated once.
  const sorted = sql`select f.id as ${rawSql(read.id)} from (${rows}) f where 1${
    afterOf(read, "f.key", "f.id")
  }${rawSql(orderOf(read, "f.key", "f.id"))} limit iif(exists (${scan.unfinished}), ${
    bounded(read.limit)
  }, 0)`;
  const page = sql`select f.id as ${rawSql(read.id)} from found f where ${isSorted}${
    afterOf(read, "f.key", "f.id")
  }${rawSql(orderOf(read, "f.key", "f.id"))} limit ${bounded(read.limit)}`;
  const most = rawSql(String(isExact ? maxRowIds : maxRowsRead));
  return {
    tables: sql`${found}, ${scan.tables}`,
    ids: sql`select ${rawSql(read.id)} from (${page}) union all select ${
      rawSql(read.id)
    } from (${sorted}) union all select p.value from scanned w join json_each(w.ids) p`,
    total: sql`iif(${kept} <= ${most}, ${kept}, (${countMatching(read.table, scope, conditions, path)}))`,
  };
}

/** SQL: counts the rows for which all conditions hold. */
export function countMatching(
  table: string,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
): Sql {
  if (isComplete(path, conditions)) {
    return path.isDistinct
      ? sql`select count(*) from (${path.rowIds})`
      : sql`select count(distinct row) from (${path.rowIds})`;
  }
  return sql`select count(*) from ${rowsOf(table, scope, conditions, path, path.rowIds)}`;
}

/** SQL: one row with the number of matching rows that have each value of a column. */
export function countEach(
  table: string,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
): Sql {
  const isInIndex = path.carries && path.isDistinct && isComplete(path, conditions);
  const of = isInIndex ? column : `y.${column}`;
  const sums = values.map((value) => sql`coalesce(sum(${rawSql(of)} = ${value}), 0) as ${rawSql(value)}`);
  const from = isInIndex ? sql`(${path.rowIds})` : rowsOf(table, scope, conditions, path, path.rowIds);
  return sql`select ${joined(sums, ", ")} from ${from}`;
}

/** SQL: ` order by …`, in the list's order. */
export function orderOf({ paging: { sort } }: Pick<PageRead, "paging">, key: string, id: string): string {
  const direction = sort.descending ? "desc" : "asc";
  return ` order by ${key} ${direction}, ${id} ${direction}`;
}

/** SQL: ` and …`, what stands behind the last row of the page before. */
export function afterOf({ paging: { sort, after } }: Pick<PageRead, "paging">, key: string, id: string): Sql {
  return after ? raw(` and (${key}, ${id}) ${sort.descending ? "<" : ">"} (?, ?)`, ...after) : sql``;
}

/** Ids and sort values of the rows that match. */
function matchingRows(
  read: PageRead,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
  rowIds: Sql,
): Sql {
  return sql`select y.${rawSql(read.id)} as id, y.${rawSql(read.paging.sort.column)} as key from ${
    rowsOf(read.table, scope, conditions, path, rowIds)
  }`;
}

function rowsOf(
  table: string,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
  rowIds: Sql,
): Sql {
  const rest = [
    ...(path.inScope ? [] : [inScope(scope, "y", "alone")]),
    ...conditions.filter((condition) => !path.covers.includes(condition)).map(({ test }) => test("y")),
  ];
  const from = path.isDistinct
    ? sql`(${rowIds}) h cross join ${rawSql(table)} y on y.rowid = h.row`
    : sql`${rawSql(table)} y`;
  const terms = path.isDistinct ? rest : [sql`y.rowid in (select row from (${rowIds}))`, ...rest];
  return terms.length === 0 ? sql`${from} where 1` : sql`${from} where ${joined(terms, " and ")}`;
}

/**
 * The ids of each stream in the list's order, as far as its rows are read. `isExact`: `matches` has the rows that match,
 * unless they are too many, so that the list's index alone is read.
 */
function orderedScan(
  read: PageRead,
  scope: Scope,
  conditions: readonly ListCondition[],
  isExact: boolean,
  isSorted: Sql,
): { tables: Sql; unfinished: Sql } {
  const { limit } = read;
  const streams = scope.streams ?? [null];
  const inSet = `(select n <= ${maxRowIds} from size)`;
  const most = isExact
    ? `(select iif(n <= ${maxRowIds}, n * ${scannedForEach}, ${maxScannedRows}) from size)`
    : String(maxScannedRows);
  const bounds = conditions.flatMap(({ column }) =>
    column?.name === read.paging.sort.column && column.search === "range"
      ? [column.compare(column.of("y"))]
      : []
  );
  const rowsIn = (place: number, columns: Sql, value: string): Sql =>
    streamRows(read, scope, { stream: streams[place] ?? null, bounds }, columns, value);
  const scans = streams.flatMap((stream, place) => {
    const values = sql`${JSON.stringify(stream ? stream.values : [null])}`;
    const scan = (ids: Sql, when: string) =>
      sql`select (select json_group_array(r.id) from (${ids} limit ${bounded(limit)}) r), s.value, ${
        rawSql(String(place))
      } from json_each(${values}) s where not ${isSorted}${rawSql(when)}`;
    const fits = joined([sql`1`, ...conditions.map(({ test }) => test("y"))], " and ");
    const byTests = sql`select w.id from (${
      rowsIn(place, sql`y.${rawSql(read.id)} as id, ${fits} as fits`, "s.value")
    } limit ${rawSql(most)}) w where w.fits`;
    if (!isExact) return scan(byTests, "");
    const rows = sql`${rowsIn(place, sql`y.rowid as row`, "s.value")} limit ${rawSql(most)}`;
    // Row numbers alone: to read the ids of all rows, too, would cost as much again.
    const id = `(select y.${read.id} from ${read.table} y where y.rowid = w.row)`;
    return [
      scan(byTests, ` and not ${inSet}`),
      scan(
        sql`select ${rawSql(id)} as id from (${rows}) w where w.row in (select row from matches)`,
        ` and ${inSet}`,
      ),
    ];
  });
  const whole = streams.map((_, place) =>
    sql`when ${rawSql(String(place))} then exists (${rowsIn(place, sql`1`, "w.value")} limit 1 offset ${
      rawSql(most)
    } - 1)`
  );
  return {
    tables: sql`scanned(ids, value, place) as materialized (${joined(scans, " union all ")})`,
    unfinished: sql`select 1 from scanned w where json_array_length(w.ids) < ${
      bounded(limit)
    } and case w.place ${joined(whole, " ")} end`,
  };
}

/** The rows of a stream in the list's order, within the bounds that are set to what it is sorted by. */
function streamRows(
  read: PageRead,
  { companyId }: Scope,
  { stream, bounds }: { readonly stream: Stream | null; readonly bounds: readonly Sql[] },
  columns: Sql,
  value: string,
): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const own = stream ? ` and y.${stream.column} is ${value}` : "";
  return sql`select ${columns} from ${rawSql(read.table)} y where ${
    joined([sql`y.company_id = ${companyId}${rawSql(own)}`, ...bounds], " and ")
  }${afterOf(read, key, of)}${rawSql(orderOf(read, key, of))}`;
}

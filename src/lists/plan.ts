/** Plans a page of the rows that a path finds, and their number, as parts of one statement. */
import { type Scope, type Stream, testScope } from "../db/scope.ts";
import { bindRows, identifier, joinSql, literal, type Sql, sql } from "../db/statements.ts";
import { type AccessPath, isComplete, selectPathColumns } from "./access_path.ts";
import type { ListCondition } from "./conditions.ts";
import type { Paging } from "./paging.ts";

/** The most matching rows that are sorted for a page, if they are counted without reading them. */
export const maxSortedRows = 2_000;
/** The most matching rows that are sorted for a page, if they must be read to be counted. */
export const maxRowsRead = 50_000;
/** The most matching rows whose row numbers are kept. */
export const maxRowIds = 20_000;
/**
 * Beyond these limits, a page is read in the list's order, which costs little if many rows match. Reads at
 * most this many rows of each stream; if the matches are counted beforehand, reads about half as many rows in
 * all as would be sorted instead. If the page is not full by then, the matches are sorted after all, because
 * they may be at the end of the order.
 */
export const maxScannedRows = 20_000;

/**
 * Up to this estimated share of a company's rows, the sort keys of matches are kept with their row numbers,
 * if the index has the keys. With more matches, keeping the keys costs more than reading fewer rows saves.
 */
const fewRows = 0.01;

/** The table and the place of a page. */
export interface PageRead {
  readonly table: string;
  readonly id: string;
  readonly paging: Paging;
  /** The number of rows up to the end of the page, plus one. */
  readonly limit: number;
  /** Whether there are many rows before it. */
  readonly isDeep: boolean;
}

export interface PagePlan {
  /** The common table expressions, to follow `with`: `… as materialized (…)`. */
  readonly tables: Sql;
  /** Selects ids of matching rows, including those of the page. The caller sorts and limits them. */
  readonly ids: Sql;
  /** How many rows match. */
  readonly total: Sql;
}

/** Plans a page of the rows that meet all conditions. `path` may also find rows that do not. */
export function planPage(
  read: PageRead,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
): PagePlan {
  const isExact = isComplete(path, conditions);
  const mostSorted = isExact || path.size ? maxSortedRows : maxRowsRead;
  const most = literal(isExact ? maxRowIds : mostSorted);
  const isKept = sql`(select n from size) <= ${most}`;
  const isUnfinished = sql`(select yes from unfinished)`;
  const [rowId, rowKey] = [identifier("y", read.id), identifier("y", read.paging.sort.column)];
  const selectKeyed = (rows: Sql) =>
    sql`select ${rowId} as id, ${rowKey} as key from ${rows} m
      cross join ${identifier(read.table)} y on y.rowid = m.row where 1`;
  const scan = composeOrderedScan(read, scope, conditions, { isExact, mostSorted });
  // Counters know the size before any row is read.
  const matches = path.size
    ? sql`size(n) as materialized (select ${path.size}),
      found(id, key) as materialized (select id, key from every limit iif(${isKept}, -1, 0))`
    : sql`found(id, key) as materialized (select id, key from every limit ${most} + 1),
      size(n) as materialized (select count(*) from found)`;
  const carries = path.isDistinct && path.carries === read.paging.sort.column && path.found <= fewRows;
  // SQLite plans `every` for each use: a limit may end it early, a count needs no keys.
  const tables = isExact
    ? sql`every as not materialized (${selectDistinctRows(path)}),
      matches as materialized (select ${carries ? selectPathColumns(path) : sql`row`} from every
      limit ${most} + 1),
      size(n) as materialized (select count(*) from matches), ${scan},
      found(id, key) as materialized
      (${selectKeyed(sql`matches`)}${carries ? sql` and ${onPage(read)}` : sql``} limit iif((
        select n <= ${literal(maxSortedRows)} or (n <= ${most} and ${isUnfinished}) from size), -1, 0))`
    : sql`every(id, key) as not materialized (select ${rowId}, ${rowKey}
      from ${composePathRows(read.table, scope, conditions, path)}), ${matches}, ${scan}`;
  // SQLite evaluates a condition in a `limit` only once.
  const [id, key, of] = [identifier(read.id), sql`f.key`, sql`f.id`];
  const inOrder = (rows: Sql, condition: Sql) =>
    sql`select f.id as ${id} from ${rows} f where 1${orderAfter(read.paging, key, of)}
      limit iif(${condition}, ${bindRows(read.limit)}, 0)`;
  const kept = inOrder(sql`found`, isKept);
  const rest = isExact ? sql`(${selectKeyed(sql`every`)})` : sql`every`;
  const sorted = inOrder(rest, sql`not (${isKept}) and ${isUnfinished}`);
  return {
    tables: path.tables ? sql`${path.tables}, ${tables}` : tables,
    ids: sql`select ${id} from (${kept}) union all select ${id} from (${sorted})
      union all select p.value from scanned w join json_each(w.ids) p`,
    total: sql`iif(${isKept}, (select n from size), (select count(*) from every))`,
  };
}

/**
 * SQL: whether a match `m`, which has the key of the list's order, may be on the page or before it. No other
 * row is read. Rows of one key are ordered by their ids, which the index may lack, so all of them are
 * included.
 */
function onPage({ paging, limit }: PageRead): Sql {
  const { sort: { column, descending }, after } = paging;
  const [key, own] = [identifier(column), identifier("m", column)];
  const [direction, back, within, beyond] = descending
    ? [sql`desc`, sql`asc`, sql`>=`, sql`<`]
    : [sql`asc`, sql`desc`, sql`<=`, sql`>`];
  const rest = after ? sql` where ${key} ${beyond} ${after[0]}` : sql``;
  const first = sql`select ${key} from matches${rest} order by ${key} ${direction} limit ${bindRows(limit)}`;
  const isNear = sql`${own} ${within} (select ${key} from (${first}) order by ${key} ${back} limit 1)`;
  return after ? sql`(${own} = ${after[0]} or (${own} ${beyond} ${after[0]} and ${isNear}))` : isNear;
}

function selectDistinctRows({ isDistinct, rowIds }: AccessPath): Sql {
  return isDistinct ? rowIds : sql`select distinct row from (${rowIds})`;
}

/** SQL: one row with `n`, the number of rows that meet all conditions. */
export function countMatching(
  table: string,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
): Sql {
  const rows = isComplete(path, conditions)
    ? sql`(${selectDistinctRows(path)})`
    : composePathRows(table, scope, conditions, path);
  return sql`${path.tables ? sql`with ${path.tables} ` : sql``}select count(*) as n from ${rows}`;
}

/** SQL: one row with the number of matching rows that have each value of a column. */
export function countEach(
  table: string,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
): Sql {
  const isInIndex = path.carries === column && path.isDistinct && isComplete(path, conditions);
  const of = isInIndex ? identifier(column) : identifier("y", column);
  const sums = values.map((value) => sql`coalesce(sum(${of} = ${value}), 0) as ${identifier(value)}`);
  const from = isInIndex ? sql`(${path.rowIds})` : composePathRows(table, scope, conditions, path);
  return sql`select ${joinSql(sums, ", ")} from ${from}`;
}

/** SQL: ` and … order by …`: the rows after the last row of the previous page, in the list's order. */
export function orderAfter({ sort, after }: Pick<Paging, "sort" | "after">, key: Sql, id: Sql): Sql {
  const [direction, beyond] = sort.descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const order = sql` order by ${key} ${direction}, ${id} ${direction}`;
  return after ? sql` and (${key}, ${id}) ${beyond} (${after[0]}, ${after[1]})${order}` : order;
}

/** SQL after `from`: `… where …` over the rows `y` of a path that meet all conditions. */
export function composePathRows(
  table: string,
  scope: Scope,
  conditions: readonly ListCondition[],
  path: AccessPath,
): Sql {
  const { rowIds, isDistinct } = path;
  const left = conditions.filter((condition) => !path.covers.includes(condition));
  // Runs a test that needs only the row's number before the row is read.
  const numbered = isDistinct ? left.filter(({ numberAs }) => numberAs) : [];
  const rest = [
    ...numbered.map(({ test }) => test("h")),
    ...(path.inScope ? [] : [testScope(scope, "y")]),
    ...left.filter((condition) => !numbered.includes(condition)).map(({ test }) => test("y")),
  ];
  const rows = sql`${identifier(table)} y`;
  const names = [...new Set(numbered.map(({ numberAs }) => numberAs!))].map((name) =>
    sql`, row as ${identifier(name)}`
  );
  const numberedIds = names.length > 0 ? sql`select row${joinSql(names, "")} from (${rowIds})` : rowIds;
  const from = isDistinct ? sql`(${numberedIds}) h cross join ${rows} on y.rowid = h.row` : rows;
  const terms = isDistinct ? rest : [sql`y.rowid in (select row from (${rowIds}))`, ...rest];
  return terms.length === 0 ? sql`${from} where 1` : sql`${from} where ${joinSql(terms, " and ")}`;
}

/**
 * SQL: the tables `scanned` and `unfinished`. `scanned` reads each stream in the list's order and keeps the
 * rows that match. Each of its rows has the ids of a stream's page as a list; it has no rows if all matches
 * are sorted. `unfinished`: whether the page of a stream is not full while rows are left to read.
 */
function composeOrderedScan(
  read: PageRead,
  scope: Scope,
  conditions: readonly ListCondition[],
  { isExact, mostSorted }: { readonly isExact: boolean; readonly mostSorted: number },
): Sql {
  const limit = bindRows(read.limit);
  const streams = scope.streams ?? [null];
  const values = streams.map((stream) => stream ? stream.values : [null]);
  const parts = 2 * values.flat().length;
  const scanned = literal(maxScannedRows);
  const most = isExact ? sql`(select min(n / ${literal(parts)}, ${scanned}) from size)` : scanned;
  const isSorted = sql`(select n <= ${literal(mostSorted)} from size)`;
  const sorted = read.paging.sort.column;
  const bounds = conditions.flatMap(({ column, implied }) =>
    [column?.search === "range" ? column : null, implied].flatMap((range) =>
      range?.name === sorted ? [range.compare(identifier("y", sorted))] : []
    )
  );
  const fits = joinSql([sql`1`, ...conditions.map(({ test }) => test("y"))], " and ");
  const scans = streams.map((stream, place) => {
    // As a value, `and` would evaluate every term.
    const columns = sql`${identifier("y", read.id)} as id, case when ${fits} then 1 end as fits`;
    const ids = sql`select w.id from (${streamRows(read, scope, { stream, bounds }, columns, sql`s.value`)}
      limit ${most}) w where w.fits limit ${limit}`;
    return sql`select (select json_group_array(r.id) from (${ids}) r), s.value, ${literal(place)}
      from json_each(${JSON.stringify(values[place])}) s where not ${isSorted}`;
  });
  const rests = streams.map((stream, place) =>
    sql`when ${literal(place)}
      then exists (${streamRows(read, scope, { stream, bounds }, sql`1`, sql`w.value`)}
      limit 1 offset ${most} - 1)`
  );
  return sql`scanned(ids, value, place) as materialized (${joinSql(scans, " union all ")}),
    unfinished(yes) as materialized (select exists (select 1 from scanned w
      where json_array_length(w.ids) < ${limit} and case w.place ${joinSql(rests, " ")} end))`;
}

/** SQL: the rows of a stream in the list's order, within the bounds of the sort column. */
function streamRows(
  read: PageRead,
  { companyId }: Scope,
  { stream, bounds }: { readonly stream: Stream | null; readonly bounds: readonly Sql[] },
  columns: Sql,
  value: Sql,
): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const terms = [
    sql`y.company_id = ${companyId}`,
    ...(stream ? [sql`${identifier("y", stream.column)} is ${value}`] : []),
    ...bounds,
  ];
  return sql`select ${columns} from ${identifier(read.table)} y
    where ${joinSql(terms, " and ")}${orderAfter(read.paging, key, of)}`;
}

/** The ids of a page of a list whose rows some condition finds, and their number. */
import { type AccessPath, maxSortedRows, type RowIdSet } from "./access_path.ts";
import type { Paging } from "./pages.ts";
import { inScope, type Scope, type Stream } from "../db/scope.ts";
import { bounded, joined, raw, rawSql, type Sql, sql } from "../db/statements.ts";

/**
 * A list whose rows are many to find is read in its order, of each stream at most so many rows. A page that is
 * not full by then is sorted from all that is found after all: an order may have the filter's rows at its end.
 */
export const maxScannedRows = 20_000;

/**
 * Up to so many hits are put into a set that the list's rows are held against. To see there that a row is none of
 * them costs a sixth of what it costs to read a row, so that so many times their number are gone through before
 * they are sorted: where the newest rows match nothing, that is not much more than to sort at once.
 */
export const maxRowIds = 20_000;
const walkedForEach = 4;

/** What a page is read from. */
export interface PageRead {
  readonly table: string;
  readonly id: string;
  readonly paging: Paging;
  /** Of the page, and a row more, and what pages before have. */
  readonly limit: number;
}

/** A page in pieces of one statement. */
export interface PagePlan {
  /** `… as materialized (…)`, behind a `with`. */
  readonly tables: Sql;
  /** A select of ids with those of the page among them; they all match, so that who sorts and limits them has it. */
  readonly ids: Sql;
  /** How many rows match. */
  readonly total: Sql;
}

/** The ids of a page of rows that a condition finds; its index may have them in the list's order. */
export function pageIds(
  read: PageRead,
  scope: Scope,
  found: Pick<AccessPath, "index" | "conditions">,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const order = orderOf(read, key, of);
  // The order of an owner's rows may be that of the owner's index; of a company's it is another index.
  const last = found.index === "alone" ? order : order.replaceAll("y.", "+y.");
  return sql`select ${rawSql(of)} from ${rowsFrom(read, scope, found)}${afterOf(read, key, of)}${
    rawSql(last)
  } limit ${bounded(limit)} offset ${bounded(offset)}`;
}

/** By a condition that leaves few rows as a rule: they are read once, for the page and for their number. */
export function planSortedPage(
  read: PageRead,
  scope: Scope,
  found: Pick<AccessPath, "index" | "conditions">,
): PagePlan {
  return {
    tables: sql`found(id, key) as materialized (${rowsFound(read, scope, found)})`,
    ids: pageOfFound(read),
    total: sql`(select count(*) from found)`,
  };
}

/**
 * By a filter that tells by itself whether it finds few rows; otherwise the list is read in its order. Conditions
 * are over the alias `y`; `counted` is a select of their number.
 */
export function planPage(
  read: PageRead,
  scope: Scope,
  conditions: readonly Sql[],
  finding: AccessPath,
  counted: Sql,
): PagePlan {
  const { id, limit } = read;
  const few = sql`(select yes from few)`;
  const isCounted = Boolean(finding.count);
  const { tables, unfinished } = orderedScan(
    read,
    scope,
    conditions,
    isCounted ? finding.rowIdSet ?? null : null,
  );
  const all = rowsFound(read, scope, finding);
  const decided = isCounted
    ? sql`size(n) as materialized (${counted}), few(yes) as materialized (select n <= ${
      rawSql(String(maxSortedRows))
    } from size)`
    : sql`few(yes) as materialized (select ${finding.isSelective})`;
  // A condition in the place of the limit is asked once; beside the others it would be asked of every row.
  const sorted = sql`select f.id as ${rawSql(id)} from (${all}) f where 1${afterOf(read, "f.key", "f.id")}${
    rawSql(orderOf(read, "f.key", "f.id"))
  } limit iif(exists (${unfinished}), ${bounded(limit)}, 0)`;
  return {
    tables: sql`${
      finding.table ? sql`${finding.table}, ` : sql``
    }${decided}, found(id, key) as materialized (${all} limit iif(${few}, -1, 0)), ${tables}`,
    ids: sql`select ${rawSql(id)} from (${pageOfFound(read)}) union all select ${
      rawSql(id)
    } from (${sorted}) union all select p.value from walked w join json_each(w.ids) p`,
    total: isCounted
      ? sql`(select n from size)`
      : sql`iif(${few}, (select count(*) from found), (${counted}))`,
  };
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

/** Ids and sort values of all rows that are found. */
function rowsFound(read: PageRead, scope: Scope, found: Pick<AccessPath, "index" | "conditions">): Sql {
  return sql`select y.${rawSql(read.id)} as id, y.${rawSql(read.paging.sort.column)} as key from ${
    rowsFrom(read, scope, found)
  }`;
}

function rowsFrom(
  { table }: PageRead,
  scope: Scope,
  { index: finds, conditions }: Pick<AccessPath, "index" | "conditions">,
): Sql {
  return sql`${rawSql(table)} y where ${joined([inScope(scope, "y", finds), ...conditions], " and ")}`;
}

function pageOfFound(read: PageRead): Sql {
  const after = afterOf(read, "f.key", "f.id");
  return sql`select f.id as ${rawSql(read.id)} from found f where 1${after}${
    rawSql(orderOf(read, "f.key", "f.id"))
  } limit ${bounded(read.limit)}`;
}

/**
 * The ids of each stream in the list's order, as far as they are gone through. `hits`, as long as they are not too
 * many for a set, are told from the others there, so that the list's index alone is read.
 */
function orderedScan(
  read: PageRead,
  scope: Scope,
  conditions: readonly Sql[],
  hits: RowIdSet | null,
): { tables: Sql; unfinished: Sql } {
  const { limit } = read;
  const streams = scope.streams ?? [null];
  const inSet = `(select n <= ${maxRowIds} from size)`;
  const most = hits
    ? `(select iif(n <= ${maxRowIds}, n * ${walkedForEach}, ${maxScannedRows}) from size)`
    : String(maxScannedRows);
  const rowsOf = (place: number, columns: Sql, value: string): Sql =>
    streamRows(read, scope, streams[place] ?? null, columns, value);
  const walks = streams.flatMap((stream, place) => {
    const values = sql`${JSON.stringify(stream ? stream.values : [null])}`;
    const walk = (ids: Sql, when: string) =>
      sql`select (select json_group_array(r.id) from (${ids} limit ${bounded(limit)}) r), s.value, ${
        rawSql(String(place))
      } from few cross join json_each(${values}) s where not few.yes${rawSql(when)}`;
    const fits = joined(conditions, " and ");
    const tested = sql`select w.id from (${
      rowsOf(place, sql`y.${rawSql(read.id)} as id, ${fits} as fits`, "s.value")
    } limit ${rawSql(most)}) w where w.fits`;
    if (!hits) return walk(tested, "");
    const rows = sql`${rowsOf(place, sql`y.seq`, "s.value")} limit ${rawSql(most)}`;
    // Of the rows that are gone through their numbers alone: to take the ids along would cost as much again.
    const id = `(select y.${read.id} from ${read.table} y where y.seq = w.seq)`;
    return [
      walk(tested, ` and not ${inSet}`),
      walk(sql`select ${rawSql(id)} as id from (${rows}) w where ${isHit(read, hits)}`, ` and ${inSet}`),
    ];
  });
  const whole = streams.map((_, place) =>
    sql`when ${rawSql(String(place))} then exists (${rowsOf(place, sql`1`, "w.value")} limit 1 offset ${
      rawSql(most)
    } - 1)`
  );
  return {
    tables: sql`walked(ids, value, place) as materialized (${joined(walks, " union all ")})`,
    unfinished: sql`select 1 from walked w where json_array_length(w.ids) < ${
      bounded(limit)
    } and case w.place ${joined(whole, " ")} end`,
  };
}

/** The rows of a stream in the list's order. */
function streamRows(
  read: PageRead,
  { companyId }: Scope,
  stream: Stream | null,
  columns: Sql,
  value: string,
): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const own = stream ? ` and y.${stream.column} is ${value}` : "";
  return sql`select ${columns} from ${rawSql(read.table)} y where y.company_id = ${sql`${companyId}`}${
    rawSql(own)
  }${afterOf(read, key, of)}${rawSql(orderOf(read, key, of))}`;
}

/** SQL: the row `w` is a hit; of those alone all else is read. */
function isHit({ table }: PageRead, { rowIds: seqs, rest }: RowIdSet): Sql {
  const hit = sql`w.seq in (${seqs})`;
  if (rest.length === 0) return hit;
  return sql`${hit} and exists (select 1 from ${rawSql(table)} y where y.seq = w.seq and ${
    joined(rest, " and ")
  } limit 1)`;
}

/** Lists in SQL: one page of rows in a stable order, and the exact total. */
import type { Aside, Result, Row, Statement, Value } from "../platform/database/database.ts";
import { afterOf, orderOf, pageIds, type PagePlan, type PageRead, planPage, planSortedPage } from "./plan.ts";
import { type AccessPath, accessPathFor } from "./access_path.ts";
import { inScope, type Scope, type Stream } from "../db/scope.ts";
import { bounded, indexed, type IndexKind, joined, raw, rawSql, type Sql, sql } from "../db/statements.ts";

/** What a list is made of; `rows` is the alias of the table in `columns`, `joins` and conditions. */
export interface ListSource {
  readonly table: string;
  readonly alias: string;
  /** Select list over the alias and the joins. */
  readonly columns: string;
  /** `left join … on …`; one row for each row of the table. */
  readonly joins?: string;
  /** The table's unique id, which breaks ties. */
  readonly id?: string;
}

export interface Sort {
  /** A column without nulls. */
  readonly column: string;
  readonly descending: boolean;
}

export interface Paging {
  readonly page: number;
  readonly per_page: number;
  readonly sort: Sort;
  /** Sort value and id of the last row of the page before: the list goes on after it. */
  readonly after: readonly [string | number, string | number] | null;
}

/** Rows that a page may skip while others wait; behind them it is read beside what else is served. */
const mostSkipped = 1_000;

/** How many rows stand before the page. A page that follows another one goes on behind its last row. */
export function skippedBy({ page, per_page, after }: Paging): number {
  return after ? 0 : (Math.max(1, page) - 1) * per_page;
}

/** As part of a statement that reads a page: what it takes to skip so many rows, and to find words. */
export function asideFor(
  company: number,
  skipped: number,
  conditions: readonly Sql[] = [],
): { aside?: Aside } {
  if (skipped > mostSkipped) return { aside: { effort: "scan", company } };
  const findsWords = conditions.some(({ sql: text }) => text.includes(" match ?"));
  return findsWords ? { aside: { effort: "few", company } } : {};
}

/**
 * One page and a row more, which tells whether there is a next page. Every row has `page_key` and
 * `page_id`, from which the next page continues.
 */
export function pageOf(
  source: ListSource,
  scope: Scope,
  paging: Paging,
  conditions: readonly Sql[] = [],
  finding: AccessPath | null = null,
): Statement {
  return pageBy(source, scope, paging, conditions, finding, false);
}

/** The same of rows that some condition selects; every row has `page_total`, the number of all that match. */
export function countedPage(
  source: ListSource,
  scope: Scope,
  paging: Paging,
  conditions: readonly Sql[],
  finding: AccessPath | null = null,
): Statement {
  return pageBy(source, scope, paging, conditions, finding, true);
}

function pageBy(
  source: ListSource,
  scope: Scope,
  paging: Paging,
  conditions: readonly Sql[],
  finding: AccessPath | null,
  isCounted: boolean,
): Statement {
  const { table, alias } = source;
  const id = source.id ?? "id";
  const [key, of] = [`${alias}.${paging.sort.column}`, `${alias}.${id}`];
  const offset = skippedBy(paging);
  const isDeep = offset > mostSkipped;
  const limit = paging.per_page + 1;
  const read: PageRead = { table, id, paging, limit: limit + offset };
  const inner = (narrowed: readonly Sql[]) => narrowed.map((condition) => named(condition, alias, "y"));
  const counted = () => countSql(source, scope, conditions, finding);

  const index = indexKindOf(conditions);
  const straight = index === null ? null : { index, conditions: inner(conditions) };
  let found: PagePlan | null = null;
  if (straight) found = isCounted ? planSortedPage(read, scope, straight) : null;
  else if (finding) {
    const { rowIdSet = null, ...near } = accessPathFor(finding, scope);
    const narrower = {
      ...near,
      conditions: inner(near.conditions),
      rowIdSet: rowIdSet && { ...rowIdSet, rest: inner(rowIdSet.rest) },
    };
    found = planPage(read, scope, inner(conditions), narrower, counted());
  }
  const cut = (ids: Sql) => firstOf(read, ids, offset);
  let ids: Sql | null = null;
  if (found) ids = isDeep || (scope.streams && finding) ? cut(found.ids) : found.ids;
  else if (straight) {
    ids = pageIds(read, scope, straight, isDeep ? { limit, offset } : { limit: read.limit, offset: 0 });
  } else if (scope.streams) ids = cut(streamedIds(read, scope.companyId, scope.streams, inner(conditions)));
  else if (isDeep) ids = idsInOrder(read, scope.companyId, inner(conditions), offset);
  const own = sql`${rawSql(alias)}.company_id = ${sql`${scope.companyId}`}`;
  const filter = ids
    ? sql`${rawSql(of)} in (${ids})`
    : sql`${joined([own, ...conditions], " and ")}${afterOf(read, key, of)}`;
  const tables = found ? sql`with ${found.tables} ` : sql``;
  const total = isCounted ? sql`, ${found?.total ?? sql`(${counted()})`} as page_total` : sql``;
  // That a page is past the end is known by the number of rows: none of them is read for it.
  const isThere = found
    ? sql`${found.total} > ${bounded(offset)}`
    : sql`exists (${matching(source, scope, conditions, finding, "1")} limit 1 offset ${bounded(offset)})`;
  const rows = isDeep ? sql`iif(${isThere}, ${bounded(limit)}, 0)` : bounded(limit);
  const { sql: text, args } = sql`${tables}select ${rawSql(source.columns)}, ${rawSql(key)} as page_key, ${
    rawSql(of)
  } as page_id${total} from ${rawSql(table)} ${rawSql(alias)} ${rawSql(source.joins ?? "")} where ${filter}${
    rawSql(orderOf(read, key, of))
  } limit ${rows} offset ${bounded(isDeep ? 0 : offset)}`;
  return { sql: text, args, ...asideFor(scope.companyId, offset, conditions) };
}

/** A page of `countedPage` as it was read, with the total; a page past the end is counted by a second read. */
export async function readCounted(
  read: (statements: readonly Statement[]) => Promise<Result[]>,
  paging: Paging,
  page: Statement,
  count: Statement,
): Promise<{ rows: Row[]; total: number }> {
  const [{ rows }] = await read([page]) as [Result];
  if (rows.length > 0) return { rows, total: Number(rows[0]!.page_total) };
  if (paging.page <= 1 && !paging.after) return { rows, total: 0 };
  const [counted] = await read([count]);
  return { rows, total: Number(counted!.rows[0]!.n) };
}

/** SQL: of each value of each stream the ids of a page, in the list's order. */
function streamedIds(
  read: PageRead,
  companyId: number,
  streams: readonly Stream[],
  conditions: readonly Sql[],
): Sql {
  const { table, id, limit, paging } = read;
  const [key, of] = [`y.${paging.sort.column}`, `y.${id}`];
  const each = streams.map(({ column, values }) => {
    const terms = [sql`y.company_id = ${companyId}`, sql`y.${rawSql(column)} is s.value`, ...conditions];
    const rows = sql`select y.${rawSql(id)} from ${rawSql(table)} y where ${joined(terms, " and ")}${
      afterOf(read, key, of)
    }${rawSql(orderOf(read, key, of))} limit ${bounded(limit)}`;
    // The ids of each value as a list: joined with the table instead, they tempt the planner to read all of it.
    return sql`select p.value from json_each(${sql`${
      JSON.stringify(values)
    }`}) s join json_each((select json_group_array(r.${rawSql(id)}) from (${rows}) r)) p`;
  });
  return joined(each, " union ");
}

/** SQL: of the ids of many streams those of the page, so that the joins are made for these alone. */
function firstOf(read: PageRead, ids: Sql, offset: number): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const rows = sql`select ${rawSql(of)} from ${rawSql(read.table)} y where ${rawSql(of)} in (${ids})${
    rawSql(orderOf(read, key, of))
  }`;
  return offset > mostSkipped
    ? sql`${rows} limit ${bounded(read.paging.per_page + 1)} offset ${bounded(offset)}`
    : sql`${rows} limit ${bounded(read.limit)}`;
}

/** SQL: the ids of a page of all rows; those before it are skipped in the index alone, and not joined. */
function idsInOrder(read: PageRead, companyId: number, conditions: readonly Sql[], offset: number): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const terms = joined([sql`y.company_id = ${companyId}`, ...conditions], " and ");
  return sql`select ${rawSql(of)} from ${rawSql(read.table)} y where ${terms}${
    rawSql(orderOf(read, key, of))
  } limit ${bounded(read.paging.per_page + 1)} offset ${bounded(offset)}`;
}

/** Counts the rows that match. */
export function countOf(
  source: ListSource,
  scope: Scope,
  conditions: readonly Sql[],
  finding: AccessPath | null = null,
): Statement {
  const table = indexKindOf(conditions) === null && finding && accessPathFor(finding, scope).table;
  const { sql: text, args } = sql`${table ? sql`with ${table} ` : sql``}select (${
    countSql(source, scope, conditions, finding)
  }) as n`;
  return { sql: text, args, ...asideFor(scope.companyId, 0, conditions) };
}

function countSql(
  source: ListSource,
  scope: Scope,
  conditions: readonly Sql[],
  finding: AccessPath | null,
): Sql {
  const rows = matching(source, scope, conditions, finding, "count(*)");
  const counted = indexKindOf(conditions) === null && finding ? accessPathFor(finding, scope).count : null;
  if (!counted) return rows;
  return counted.given ? sql`select iif(${counted.given}, (${counted.rows}), (${rows}))` : counted.rows;
}

/** SQL: of all rows that match. */
function matching(
  { table, alias }: ListSource,
  scope: Scope,
  conditions: readonly Sql[],
  finding: AccessPath | null,
  columns: string,
): Sql {
  const index = indexKindOf(conditions);
  const near = index === null && finding ? accessPathFor(finding, scope) : null;
  const terms = near
    ? [inScope(scope, alias, near.index), ...near.conditions]
    : [inScope(scope, alias, index), ...conditions];
  return sql`select ${rawSql(columns)} from ${rawSql(table)} ${rawSql(alias)} where ${
    joined(terms, " and ")
  }`;
}

/** The unfiltered total, from the counters that triggers keep. `statuses` limits it to those. */
export function totalOf(kind: string, scope: Scope, statuses: readonly string[] | null = null): Statement {
  const args: Value[] = [scope.companyId, kind];
  const terms = (scope.streams ?? []).map(({ column, values }) => {
    args.push(JSON.stringify(values.map((value) => value ?? 0)));
    return `${column} in (select value from json_each(?))`;
  });
  const scoped = terms.length > 0 ? ` and (${terms.join(" or ")})` : "";
  if (statuses) args.push(JSON.stringify(statuses));
  const among = statuses ? " and status in (select value from json_each(?))" : "";
  return {
    sql: `select coalesce(sum(n), 0) as n from totals where company_id = ? and kind = ?${scoped}${among}`,
    args,
  };
}

/**
 * The rows made in a time of which both ends are given, or one. A whole one finds its rows, except where the
 * list goes by that very order.
 */
export function createdWithin(
  alias: string,
  { start_at, end_at }: { readonly start_at?: string | undefined; readonly end_at?: string | undefined },
  sort: Sort,
): Sql[] {
  const column = `${alias}.created_at`;
  if (start_at && end_at && sort.column !== "created_at") {
    return [
      indexed("in company", sql`(${rawSql(column)} >= ${start_at} and ${rawSql(column)} <= ${end_at})`),
    ];
  }
  return [
    ...(start_at ? [sql`${rawSql(column)} >= ${start_at}`] : []),
    ...(end_at ? [sql`${rawSql(column)} <= ${end_at}`] : []),
  ];
}

/** How the rows are found, where one of the conditions finds them. */
export function indexKindOf(conditions: readonly Sql[]): IndexKind | null {
  const finds = conditions.map((condition) => condition.index);
  return finds.includes("alone") ? "alone" : finds.includes("in company") ? "in company" : null;
}

function named(condition: Sql, from: string, to: string): Sql {
  return from === to ? condition : raw(condition.sql.replaceAll(`${from}.`, `${to}.`), ...condition.args);
}

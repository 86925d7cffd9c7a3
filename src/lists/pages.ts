/** Lists in SQL: one page of rows in a stable order, and the exact total. */
import type { Aside, Statement, Value } from "../platform/database/database.ts";
import type { TableIndex } from "./indexes.ts";
import { afterOf, orderOf, type PageRead } from "./plan.ts";
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
  /** Of a list whose rows are selected: the indexes of the table. */
  readonly indexes?: readonly TableIndex[];
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
 * One page and a row more, which shows whether there is a next page. Every row has `page_key` and
 * `page_id`, from which the next page continues.
 */
export function pageOf(
  source: ListSource,
  scope: Scope,
  paging: Paging,
  conditions: readonly Sql[] = [],
): Statement {
  const read = readOf(source, paging);
  const inner = conditions.map((condition) => named(condition, source.alias, "y"));
  const index = indexKindOf(conditions);
  const found = index === null ? null : { index, conditions: inner };
  const { isDeep, offset, limit } = read;
  let ids: Sql | null = null;
  if (found) {
    ids = foundIds(read, scope, found, isDeep ? { limit, offset } : { limit: read.limit, offset: 0 });
  } else ids = idsInOrder(read, scope, inner);
  const isThere = sql`exists (${matching(source, scope, conditions, "1")} limit 1 offset ${bounded(offset)})`;
  return pageBy(source, scope, read, { ids, conditions, isThere });
}

export interface ListRead extends PageRead {
  readonly key: string;
  readonly of: string;
  readonly offset: number;
  readonly isDeep: boolean;
}

export function readOf({ table, alias, id = "id" }: ListSource, paging: Paging): ListRead {
  const offset = skippedBy(paging);
  return {
    table,
    id,
    paging,
    limit: paging.per_page + 1 + offset,
    key: `${alias}.${paging.sort.column}`,
    of: `${alias}.${id}`,
    offset,
    isDeep: offset > mostSkipped,
  };
}

/** What a page is made of: the ids among which it is, or else the conditions of rows that are read in order. */
export interface PageParts {
  readonly tables?: Sql;
  readonly ids: Sql | null;
  readonly conditions: readonly Sql[];
  readonly total?: Sql;
  /** Whether the page is not past the end. */
  readonly isThere: Sql;
}

export function pageBy(
  { table, alias, columns, joins = "" }: ListSource,
  { companyId }: Scope,
  read: ListRead,
  { tables, ids, conditions, total, isThere }: PageParts,
): Statement {
  const { key, of, offset, isDeep, paging } = read;
  const filter = ids
    ? sql`${rawSql(of)} in (${ids})`
    : sql`${joined([sql`${rawSql(alias)}.company_id = ${companyId}`, ...conditions], " and ")}${
      afterOf(read, key, of)
    }`;
  const limit = bounded(paging.per_page + 1);
  const { sql: text, args } = sql`${tables ? sql`with ${tables} ` : sql``}select ${rawSql(columns)}, ${
    rawSql(key)
  } as page_key, ${rawSql(of)} as page_id${total ? sql`, ${total} as page_total` : sql``} from ${
    rawSql(table)
  } ${rawSql(alias)} ${rawSql(joins)} where ${filter}${rawSql(orderOf(read, key, of))} limit ${
    isDeep ? sql`iif(${isThere}, ${limit}, 0)` : limit
  } offset ${bounded(isDeep ? 0 : offset)}`;
  return { sql: text, args, ...asideFor(companyId, offset, [...conditions, ...(tables ? [tables] : [])]) };
}

/** SQL: the ids of a page of rows that are read in the list's order; null: the caller reads them so itself. */
export function idsInOrder(read: ListRead, scope: Scope, conditions: readonly Sql[]): Sql | null {
  if (scope.streams) return firstOf(read, streamedIds(read, scope.companyId, scope.streams, conditions));
  if (!read.isDeep) return null;
  // Rows before the page are skipped in the index alone, and not joined.
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const terms = joined([sql`y.company_id = ${scope.companyId}`, ...conditions], " and ");
  return sql`select ${rawSql(of)} from ${rawSql(read.table)} y where ${terms}${
    rawSql(orderOf(read, key, of))
  } limit ${bounded(read.paging.per_page + 1)} offset ${bounded(read.offset)}`;
}

/** SQL: the ids of a page of rows that a condition finds; its index may have them in the list's order. */
function foundIds(
  read: PageRead,
  scope: Scope,
  { index, conditions }: { readonly index: IndexKind; readonly conditions: readonly Sql[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const order = orderOf(read, key, of);
  // The order of an owner's rows may be that of the owner's index; of a company's it is another index.
  const last = index === "alone" ? order : order.replaceAll("y.", "+y.");
  const terms = joined([inScope(scope, "y", index), ...conditions], " and ");
  return sql`select ${rawSql(of)} from ${rawSql(read.table)} y where ${terms}${afterOf(read, key, of)}${
    rawSql(last)
  } limit ${bounded(limit)} offset ${bounded(offset)}`;
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
    return sql`select p.value from json_each(${
      JSON.stringify(values)
    }) s join json_each((select json_group_array(r.${rawSql(id)}) from (${rows}) r)) p`;
  });
  return joined(each, " union ");
}

/** SQL: of the ids of many streams those of the page, so that the joins are made for these alone. */
export function firstOf(read: ListRead, ids: Sql): Sql {
  const [key, of] = [`y.${read.paging.sort.column}`, `y.${read.id}`];
  const rows = sql`select ${rawSql(of)} from ${rawSql(read.table)} y where ${rawSql(of)} in (${ids})${
    rawSql(orderOf(read, key, of))
  }`;
  return read.isDeep
    ? sql`${rows} limit ${bounded(read.paging.per_page + 1)} offset ${bounded(read.offset)}`
    : sql`${rows} limit ${bounded(read.limit)}`;
}

/** Counts the rows that match. */
export function countOf(source: ListSource, scope: Scope, conditions: readonly Sql[]): Statement {
  const { sql: text, args } = sql`select (${matching(source, scope, conditions, "count(*)")}) as n`;
  return { sql: text, args, ...asideFor(scope.companyId, 0, conditions) };
}

/** SQL: of all rows that match. */
export function matching(
  { table, alias }: ListSource,
  scope: Scope,
  conditions: readonly Sql[],
  columns: string,
): Sql {
  const terms = [inScope(scope, alias, indexKindOf(conditions)), ...conditions];
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
 * The rows created in a time with one end or both. A time with both ends finds its rows, except where the
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

/** The statement of one page: it limits ids first, so that only rows of the page are joined. */
import type { Scope, Stream } from "../db/scope.ts";
import { bounded, identifier, joined, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import type { List } from "./list.ts";
import { asideFor, mostSkipped, type Paging, skippedBy } from "./paging.ts";
import { afterOf, orderOf, type PageRead } from "./plan.ts";

export interface ListRead extends PageRead {
  readonly key: Sql;
  readonly of: Sql;
  readonly offset: number;
  readonly isDeep: boolean;
}

export function readOf({ table, alias, id = "id" }: List, paging: Paging): ListRead {
  const offset = skippedBy(paging);
  return {
    table,
    id,
    paging,
    limit: paging.per_page + 1 + offset,
    key: identifier(alias, paging.sort.column),
    of: identifier(alias, id),
    offset,
    isDeep: offset > mostSkipped,
  };
}

/** The ids that include the page; null: the conditions of rows that are read in order. */
export interface PageParts {
  readonly tables?: Sql;
  readonly ids: Sql | null;
  readonly conditions: readonly Sql[];
  readonly total?: Sql | null;
  /** Whether a deep page is not past the end. */
  readonly isThere: () => Sql;
}

/**
 * Selects a page and one more row, which shows whether there is a next page. Each row has `page_key` and
 * `page_id`, after which the next page begins.
 */
export function pageBy(
  { table, alias, columns, joins = sql`` }: List,
  { companyId }: Scope,
  read: ListRead,
  { tables, ids, conditions, total, isThere }: PageParts,
): Statement {
  const { key, of, offset, isDeep, paging } = read;
  const filter = ids
    ? sql`${of} in (${ids})`
    : sql`${joined([sql`${identifier(alias, "company_id")} = ${companyId}`, ...conditions], " and ")}${
      afterOf(read, key, of)
    }`;
  const limit = bounded(paging.per_page + 1);
  const page = sql`${
    tables ? sql`with ${tables} ` : sql``
  }select ${columns}, ${key} as page_key, ${of} as page_id${
    total ? sql`, ${total} as page_total` : sql``
  } from ${identifier(table)} ${identifier(alias)} ${joins} where ${filter}${orderOf(read, key, of)} limit ${
    isDeep ? sql`iif(${isThere()}, ${limit}, 0)` : limit
  } offset ${bounded(isDeep ? 0 : offset)}`;
  return {
    sql: page.sql,
    args: page.args,
    ...asideFor(companyId, offset, [...conditions, ...(tables ? [tables] : [])]),
  };
}

/** SQL: the ids of a page of rows that are read in the list's order; null: the caller reads them so itself. */
export function idsInOrder(read: ListRead, scope: Scope, conditions: readonly Sql[]): Sql | null {
  const { streams, companyId } = scope;
  const [only, ...more] = streams ?? [];
  if (only && more.length === 0 && only.values.length === 1) {
    const own = sql`${identifier("y", only.column)} is ${only.values[0]!}`;
    return pageInOrder(read, [companyOf(only, companyId), own, ...conditions]);
  }
  if (streams) return firstOf(read, streamedIds(read, companyId, streams, conditions));
  // Rows before the page are skipped in the index alone, and not joined.
  return read.isDeep ? pageInOrder(read, [sql`y.company_id = ${companyId}`, ...conditions]) : null;
}

function pageInOrder(read: ListRead, terms: readonly Sql[]): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const limits = read.isDeep
    ? sql`limit ${bounded(read.paging.per_page + 1)} offset ${bounded(read.offset)}`
    : sql`limit ${bounded(read.limit)}`;
  return sql`select ${of} from ${identifier(read.table)} y where ${joined(terms, " and ")}${
    afterOf(read, key, of)
  }${orderOf(read, key, of)} ${limits}`;
}

/** The rows of an owner are found by the owner's index and only checked for the company. */
function companyOf({ isOwner }: Stream, companyId: number): Sql {
  return isOwner ? sql`+y.company_id = ${companyId}` : sql`y.company_id = ${companyId}`;
}

/** SQL: of each value of each stream the ids of a page, in the list's order. */
function streamedIds(
  read: PageRead,
  companyId: number,
  streams: readonly Stream[],
  conditions: readonly Sql[],
): Sql {
  const { id, limit, paging } = read;
  const [table, of] = [identifier(read.table), identifier("y", id)];
  const key = identifier("y", paging.sort.column);
  const each = streams.map((stream) => {
    const own = sql`${identifier("y", stream.column)} is s.value`;
    const terms = joined([companyOf(stream, companyId), own, ...conditions], " and ");
    const rows = sql`select ${of} from ${table} y where ${terms}${afterOf(read, key, of)}${
      orderOf(read, key, of)
    } limit ${bounded(limit)}`;
    // The ids of each value as a list: joined with the table instead, they tempt the planner to read all of it.
    return sql`select p.value from json_each(${JSON.stringify(stream.values)}) s join json_each((select
      json_group_array(${identifier("r", id)}) from (${rows}) r)) p`;
  });
  return joined(each, " union ");
}

/** SQL: of the ids of many streams those of the page, so that the joins are made for these alone. */
export function firstOf(read: ListRead, ids: Sql): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const rows = sql`select ${of} from ${identifier(read.table)} y where ${of} in (${ids})${
    orderOf(read, key, of)
  }`;
  return read.isDeep
    ? sql`${rows} limit ${bounded(read.paging.per_page + 1)} offset ${bounded(read.offset)}`
    : sql`${rows} limit ${bounded(read.limit)}`;
}

/** Builds the statement of a page. It limits ids first, so that it joins only rows of the page. */
import type { Scope, Stream } from "../db/scope.ts";
import { bounded, identifier, joined, type Sql, sql } from "../db/statements.ts";
import type { Aside, Statement } from "../platform/database/database.ts";
import type { List } from "./list.ts";
import { mostSkipped, type Paging } from "./paging.ts";
import { orderAfter, type PageRead } from "./plan.ts";

export interface ListRead extends PageRead {
  readonly key: Sql;
  readonly of: Sql;
  readonly offset: number;
  readonly isDeep: boolean;
}

export function readOf({ table, alias, id = "id" }: List, paging: Paging): ListRead {
  const { offset } = paging;
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

/** Ids that include the page. Null: `conditions` select the rows, which are read in order. */
export interface PageParts {
  readonly tables?: Sql;
  readonly ids: Sql | null;
  readonly conditions: readonly Sql[];
  readonly total?: Sql | null;
  /** SQL: whether a deep page has rows. */
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
    : joined([sql`${identifier(alias, "company_id")} = ${companyId}`, ...conditions], " and ");
  const limit = bounded(paging.per_page + 1);
  const page = sql`${
    tables ? sql`with ${tables} ` : sql``
  }select ${columns}, ${key} as page_key, ${of} as page_id${
    total ? sql`, ${total} as page_total` : sql``
  } from ${identifier(table)} ${identifier(alias)} ${joins} where ${filter}${
    orderAfter(paging, key, of)
  } limit ${isDeep ? sql`iif(${isThere()}, ${limit}, 0)` : limit} offset ${bounded(isDeep ? 0 : offset)}`;
  return {
    sql: page.sql,
    args: page.args,
    ...asideFor(companyId, offset, [...conditions, ...(tables ? [tables] : [])]),
  };
}

/**
 * The part of a statement that sends a page to a separate thread when it skips many rows or searches words.
 */
export function asideFor(
  company: number,
  skipped: number,
  conditions: readonly Sql[] = [],
): { aside?: Aside } {
  if (skipped > mostSkipped) return { aside: { effort: "scan", company } };
  const findsWords = conditions.some(({ sql: text }) => text.includes(" match ?"));
  return findsWords ? { aside: { effort: "few", company } } : {};
}

/** The statement of figures of the company's rows, in a separate thread if it searches words. */
export function statementOf(statement: Sql, { companyId }: Scope): Statement {
  return { sql: statement.sql, args: statement.args, ...asideFor(companyId, 0, [statement]) };
}

/**
 * SQL: the ids of a page of rows that are read in the list's order; null: the outer statement reads them in
 * order.
 */
export function idsInOrder(read: ListRead, scope: Scope, conditions: readonly Sql[]): Sql | null {
  const { streams, companyId } = scope;
  const [only, ...more] = streams ?? [];
  if (only && more.length === 0 && only.values.length === 1) {
    const own = sql`${identifier("y", only.column)} is ${only.values[0]!}`;
    return pageInOrder(read, [companyOf(only, companyId), own, ...conditions]);
  }
  if (streams) return firstOf(read, streamedIds(read, companyId, streams, conditions));
  // Skips rows before the page in the index alone, without joins.
  return read.isDeep ? pageInOrder(read, [sql`y.company_id = ${companyId}`, ...conditions]) : null;
}

function pageInOrder(read: ListRead, terms: readonly Sql[]): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const limits = read.isDeep
    ? sql`limit ${bounded(read.paging.per_page + 1)} offset ${bounded(read.offset)}`
    : sql`limit ${bounded(read.limit)}`;
  return sql`select ${of} from ${identifier(read.table)} y where ${joined(terms, " and ")}${
    orderAfter(read.paging, key, of)
  } ${limits}`;
}

/** Finds the rows of an owner by the owner's index, and only tests their company. */
function companyOf({ isOwner }: Stream, companyId: number): Sql {
  return isOwner ? sql`+y.company_id = ${companyId}` : sql`y.company_id = ${companyId}`;
}

/** SQL: the ids of a page for each value of each stream, in the list's order. */
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
    const rows = sql`select ${of} from ${table} y where ${terms}${orderAfter(paging, key, of)} limit ${
      bounded(limit)
    }`;
    // Collects the ids of each value in a list. With a join, the planner would read the whole table.
    return sql`select p.value from json_each(${JSON.stringify(stream.values)}) s join json_each((select
      json_group_array(${identifier("r", id)}) from (${rows}) r)) p`;
  });
  return joined(each, " union ");
}

/** SQL: the ids of the page among given ones, so that only these are joined. */
export function firstOf(read: ListRead, ids: Sql): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const rows = sql`select ${of} from ${identifier(read.table)} y where ${of} in (${ids})${
    orderAfter(read.paging, key, of)
  }`;
  return read.isDeep
    ? sql`${rows} limit ${bounded(read.paging.per_page + 1)} offset ${bounded(read.offset)}`
    : sql`${rows} limit ${bounded(read.limit)}`;
}

/** The ids of a page. A statement limits ids first, so that it joins only rows of the page. */
import type { Scope, Stream } from "../db/scope.ts";
import { bindRows, identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import { orderAfter, type PageRead } from "./plan.ts";

/**
 * SQL: the ids of a page of rows that are read in the list's order; null: the outer statement reads them in
 * order.
 */
export function selectIdsInOrder(read: PageRead, scope: Scope, conditions: readonly Sql[]): Sql | null {
  const { streams, companyId } = scope;
  const [only, ...more] = streams ?? [];
  if (only && more.length === 0 && only.values.length === 1) {
    const own = sql`${identifier("y", only.column)} is ${only.values[0]!}`;
    return selectPageInOrder(read, [restrictToCompany(only, companyId), own, ...conditions]);
  }
  if (streams) return selectPageIds(read, selectIdsOfStreams(read, companyId, streams, conditions));
  // Skips rows before the page in the index alone, without joins.
  return read.isDeep ? selectPageInOrder(read, [sql`y.company_id = ${companyId}`, ...conditions]) : null;
}

function selectPageInOrder(read: PageRead, terms: readonly Sql[]): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const limits = read.isDeep
    ? sql`limit ${bindRows(read.paging.per_page + 1)} offset ${bindRows(read.paging.offset)}`
    : sql`limit ${bindRows(read.limit)}`;
  return sql`select ${of} from ${identifier(read.table)} y
    where ${joinSql(terms, " and ")}${orderAfter(read.paging, key, of)} ${limits}`;
}

/**
 * SQL: the condition on the company. The owner's index finds the rows of an owner, so their company is only
 * tested.
 */
function restrictToCompany({ isOwner }: Stream, companyId: number): Sql {
  return isOwner ? sql`+y.company_id = ${companyId}` : sql`y.company_id = ${companyId}`;
}

/** SQL: the ids of a page for each value of each stream, in the list's order. */
function selectIdsOfStreams(
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
    const terms = joinSql([restrictToCompany(stream, companyId), own, ...conditions], " and ");
    const rows = sql`select ${of} from ${table} y where ${terms}${orderAfter(paging, key, of)}
      limit ${bindRows(limit)}`;
    // Collects the ids of each value in a list. With a join, the planner would read the whole table.
    return sql`select p.value from json_each(${JSON.stringify(stream.values)}) s join json_each((select
      json_group_array(${identifier("r", id)}) from (${rows}) r)) p`;
  });
  return joinSql(each, " union ");
}

/** SQL: those of the given ids that are on the page, so that the statement joins no other rows. */
export function selectPageIds(read: PageRead, ids: Sql): Sql {
  const [key, of] = [identifier("y", read.paging.sort.column), identifier("y", read.id)];
  const rows = sql`select ${of} from ${identifier(read.table)} y
    where ${of} in (${ids})${orderAfter(read.paging, key, of)}`;
  return read.isDeep
    ? sql`${rows} limit ${bindRows(read.paging.per_page + 1)} offset ${bindRows(read.paging.offset)}`
    : sql`${rows} limit ${bindRows(read.limit)}`;
}

/** Lists in SQL: one page of rows in a stable order, and the exact total. */
import type { Statement, Value } from "../platform/database/database.ts";
import { foundIds, foundOrWalked, type Read } from "./found_pages.ts";
import { inScope, type Scope, type Stream, streamTerms } from "./scope.ts";
import { finding, type Finds, joined, raw, type Sql, sqlOf } from "./statements.ts";

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

/**
 * A list reads its rows from where they are found as long as they are not more than these. Below it, to sort
 * what was found is faster than to go through the list in its order until a page is full.
 */
export const mostFound = 2_000;

/** A way to find the rows of a list, for lists that tell by themselves whether it is worth it. */
export interface Finding {
  readonly finds: Finds;
  /** All conditions of the list, one of which finds the rows. */
  readonly conditions: readonly Sql[];
  /** SQL without a row: whether it finds few. Otherwise a page is read in the list's order. */
  readonly few: Sql;
  /** How many rows there are, where the index that finds them tells it alone; null: the rows are read. */
  readonly counted: Counted | null;
}

/** A count over the entries of an index. */
export interface Counted {
  /** `select count(…) from … where …` */
  readonly select: Sql;
  /** The alias whose `team_id` is that of the rows; null: it counts for those who see all of the company. */
  readonly team: string | null;
  /** Without it the index does not tell. Absent: it always does. */
  readonly given?: Sql;
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
  finding: Finding | null = null,
): Statement {
  const { table, alias } = source;
  const id = source.id ?? "id";
  const { column, descending } = paging.sort;
  const offset = paging.after ? 0 : (Math.max(1, paging.page) - 1) * paging.per_page;
  const limit = paging.per_page + 1;
  const after = (of: string): Sql =>
    paging.after
      ? raw(` and (${of}.${column}, ${of}.${id}) ${descending ? "<" : ">"} (?, ?)`, ...paging.after)
      : raw("");
  const order = (of: string): string => {
    const direction = descending ? "desc" : "asc";
    return ` order by ${of}.${column} ${direction}, ${of}.${id} ${direction}`;
  };
  const inner = (narrowed: readonly Sql[]) => narrowed.map((condition) => named(condition, alias, "y"));
  const read: Read = { table, id, limit: limit + offset, order: order("y"), after: after("y") };

  const finds = findsOf(conditions);
  const among = (ids: Sql) => sqlOf`${alias}.${id} in (${ids})`;
  let filter: Sql;
  if (finds !== null) filter = among(foundIds(read, scope, { finds, conditions: inner(conditions) }, null));
  else if (finding) {
    const found = { ...finding, conditions: inner(finding.conditions) };
    filter = among(foundOrWalked(read, scope, inner(conditions), found));
  } else if (scope.streams === null) {
    const own = sqlOf`${alias}.company_id = ${raw("?", scope.companyId)}`;
    filter = sqlOf`${joined([own, ...conditions], " and ")}${after(alias)}`;
  } else filter = among(streamedIds(read, scope.companyId, scope.streams, inner(conditions)));
  const { text, args } =
    sqlOf`select ${source.columns}, ${alias}.${column} as page_key, ${alias}.${id} as page_id from ${table} ${alias} ${
      source.joins ?? ""
    } where ${filter}${order(alias)} limit ${raw("?", limit)} offset ${raw("?", offset)}`;
  return { sql: text, args };
}

/** SQL: of each value of each stream the ids of a page, in the list's order. */
function streamedIds(
  { table, id, limit, order, after }: Read,
  companyId: number,
  streams: readonly Stream[],
  conditions: readonly Sql[],
): Sql {
  const each = streams.map(({ column, values }) => {
    const terms = [raw("y.company_id = ?", companyId), raw(`y.${column} is s.value`), ...conditions];
    const rows = sqlOf`select y.${id} from ${table} y where ${joined(terms, " and ")}${after}${order} limit ${
      raw("?", limit)
    }`;
    // The ids of each value as a list: joined with the table instead, they tempt the planner to read all of it.
    return sqlOf`select p.value from json_each(${
      raw("?", JSON.stringify(values))
    }) s join json_each((select json_group_array(r.${id}) from (${rows}) r)) p`;
  });
  return joined(each, " union ");
}

/** Counts the rows that match. */
export function countOf(
  source: ListSource,
  scope: Scope,
  conditions: readonly Sql[],
  finding: Finding | null = null,
): Statement {
  const finds = findsOf(conditions);
  const terms = finds === null && finding
    ? [inScope(scope, source.alias, finding.finds), ...finding.conditions]
    : [inScope(scope, source.alias, finds), ...conditions];
  const rows = sqlOf`select count(*) as n from ${source.table} ${source.alias} where ${
    joined(terms, " and ")
  }`;
  const counted = finds === null && finding?.counted ? countedIn(scope, finding.counted) : null;
  if (!counted) return { sql: rows.text, args: rows.args };
  const given = finding?.counted?.given;
  const { text, args } = given ? sqlOf`iif(${given}, (${counted}), (${rows}))` : sqlOf`(${counted})`;
  return { sql: `select ${text} as n`, args };
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
    return [finding("in company", `(${column} >= ? and ${column} <= ?)`, start_at, end_at)];
  }
  return [
    ...(start_at ? [raw(`${column} >= ?`, start_at)] : []),
    ...(end_at ? [raw(`${column} <= ?`, end_at)] : []),
  ];
}

/** How the rows are found, where one of the conditions finds them. */
export function findsOf(conditions: readonly Sql[]): Finds | null {
  const finds = conditions.map((condition) => condition.finds);
  return finds.includes("alone") ? "alone" : finds.includes("in company") ? "in company" : null;
}

/** The count of what the caller sees of the rows; null where the index does not know it. */
function countedIn({ streams }: Scope, { select, team }: Counted): Sql | null {
  if (streams === null) return select;
  if (team === null || streams.some(({ column }) => column !== "team_id")) return null;
  return sqlOf`${select} and (${joined(streamTerms(streams, team, "+"), " or ")})`;
}

function named(condition: Sql, from: string, to: string): Sql {
  return from === to ? condition : raw(condition.text.replaceAll(`${from}.`, `${to}.`), ...condition.args);
}

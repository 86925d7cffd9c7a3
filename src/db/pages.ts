/** Lists in SQL: one page of rows in a stable order, and the exact total. */
import type { Statement, Value } from "../platform/database/database.ts";
import { inScope, type Scope, type Stream } from "./scope.ts";
import { finding, type Finds, raw, type Sql } from "./statements.ts";

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
 * One page and a row more, which tells whether there is a next page. Every row has `page_key` and
 * `page_id`, from which the next page continues.
 */
export function pageOf(
  source: ListSource,
  scope: Scope,
  paging: Paging,
  conditions: readonly Sql[] = [],
): Statement {
  const { alias } = source;
  const id = source.id ?? "id";
  const direction = paging.sort.descending ? "desc" : "asc";
  const offset = paging.after ? 0 : (Math.max(1, paging.page) - 1) * paging.per_page;
  const limit = paging.per_page + 1;
  const args: Value[] = [];
  const where = (of: string): string => {
    const terms = conditions.map((condition) => take(named(condition, alias, of), args));
    if (paging.after) {
      terms.push(`(${of}.${paging.sort.column}, ${of}.${id}) ${paging.sort.descending ? "<" : ">"} (?, ?)`);
      args.push(...paging.after);
    }
    return terms.map((term) => ` and ${term}`).join("");
  };
  const order = (of: string) => `order by ${of}.${paging.sort.column} ${direction}, ${of}.${id} ${direction}`;

  const found = findsOf(conditions);
  let filter: string;
  if (found !== null) {
    const rows = `${take(inScope(scope, "y", found), args)}${where("y")}`;
    // The order of an owner's rows may be that of the owner's index; of a company's it is another index.
    const last = found === "alone" ? order("y") : order("y").replaceAll("y.", "+y.");
    args.push(limit + offset);
    filter = `${alias}.${id} in (select y.${id} from ${source.table} y where ${rows} ${last} limit ?)`;
  } else if (scope.streams === null) {
    args.push(scope.companyId);
    filter = `${alias}.company_id = ?${where(alias)}`;
  } else {
    const streams = scope.streams.map((stream: Stream) => {
      args.push(JSON.stringify(stream.values), scope.companyId);
      const rows =
        `select y.${id} from ${source.table} y where y.company_id = ? and y.${stream.column} is s.value` +
        `${where("y")} ${order("y")} limit ?`;
      args.push(limit + offset);
      // The ids of each value as a list: joined with the table instead, they tempt the planner to read all of it.
      return `select p.value from json_each(?) s join json_each((select json_group_array(r.${id}) from (${rows}) r)) p`;
    });
    filter = `${alias}.${id} in (${streams.join(" union ")})`;
  }
  args.push(limit, offset);
  return {
    sql: `select ${source.columns}, ${alias}.${paging.sort.column} as page_key, ${alias}.${id} as page_id ` +
      `from ${source.table} ${alias} ${source.joins ?? ""} where ${filter} ${order(alias)} limit ? offset ?`,
    args,
  };
}

/** Counts the rows that match. */
export function countOf(source: ListSource, scope: Scope, conditions: readonly Sql[]): Statement {
  const terms = [inScope(scope, source.alias, findsOf(conditions)), ...conditions];
  return {
    sql: `select count(*) as n from ${source.table} ${source.alias} where ${
      terms.map((term) => term.text).join(" and ")
    }`,
    args: terms.flatMap((term) => term.args),
  };
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

function take(sql: Sql, args: Value[]): string {
  args.push(...sql.args);
  return sql.text;
}

function named(condition: Sql, from: string, to: string): Sql {
  return from === to ? condition : raw(condition.text.replaceAll(`${from}.`, `${to}.`), ...condition.args);
}

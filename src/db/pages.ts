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

/** A list reads its rows from where they are found as long as they are not more than these. */
export const mostFound = 10_000;

/** A way to find the rows of a list, for lists that tell by themselves whether it is worth it. */
export interface Finding {
  readonly finds: Finds;
  /** All conditions of the list, one of which finds the rows. */
  readonly conditions: readonly Sql[];
  /** SQL without a row: whether it finds few. Otherwise a page is read in the list's order. */
  readonly few: Sql;
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
  const { alias } = source;
  const id = source.id ?? "id";
  const direction = paging.sort.descending ? "desc" : "asc";
  const offset = paging.after ? 0 : (Math.max(1, paging.page) - 1) * paging.per_page;
  const limit = paging.per_page + 1;
  const args: Value[] = [];
  const where = (of: string, narrowed = conditions): string => {
    const terms = narrowed.map((condition) => take(named(condition, alias, of), args));
    if (paging.after) {
      terms.push(`(${of}.${paging.sort.column}, ${of}.${id}) ${paging.sort.descending ? "<" : ">"} (?, ?)`);
      args.push(...paging.after);
    }
    return terms.map((term) => ` and ${term}`).join("");
  };
  const order = (of: string) => `order by ${of}.${paging.sort.column} ${direction}, ${of}.${id} ${direction}`;
  /** At most so many ids; none where the condition does not hold. */
  const limited = (only: Sql | null): string => {
    const taken = only ? `iif(${take(only, args)}, ?, 0)` : "?";
    args.push(limit + offset);
    return `limit ${taken}`;
  };
  const foundIds = (finds: Finds, narrowed: readonly Sql[], only: Sql | null): string => {
    const rows = `${take(inScope(scope, "y", finds), args)}${where("y", narrowed)}`;
    // The order of an owner's rows may be that of the owner's index; of a company's it is another index.
    const last = finds === "alone" ? order("y") : order("y").replaceAll("y.", "+y.");
    return `select y.${id} from ${source.table} y where ${rows} ${last} ${limited(only)}`;
  };
  const streamedIds = (streams: readonly Stream[], only: Sql | null): string =>
    streams.map((stream) => {
      args.push(JSON.stringify(stream.values), scope.companyId);
      const rows =
        `select y.${id} from ${source.table} y where y.company_id = ? and y.${stream.column} is s.value` +
        `${where("y")} ${order("y")} ${limited(only)}`;
      // The ids of each value as a list: joined with the table instead, they tempt the planner to read all of it.
      return `select p.value from json_each(?) s join json_each((select json_group_array(r.${id}) from (${rows}) r)) p`;
    }).join(" union ");
  const walkedIds = (only: Sql): string => {
    if (scope.streams !== null) return streamedIds(scope.streams, only);
    args.push(scope.companyId);
    const rows = `y.company_id = ?${where("y")} ${order("y")}`;
    return `select ${id} from (select y.${id} from ${source.table} y where ${rows} ${limited(only)})`;
  };

  const finds = findsOf(conditions);
  let filter: string;
  if (finds !== null) filter = `${alias}.${id} in (${foundIds(finds, conditions, null)})`;
  else if (finding) {
    const { text, args: values } = finding.few;
    const few = foundIds(finding.finds, finding.conditions, finding.few);
    const many = walkedIds(raw(`not ${text}`, ...values));
    filter = `${alias}.${id} in (select ${id} from (${few}) union all ${many})`;
  } else if (scope.streams === null) {
    args.push(scope.companyId);
    filter = `${alias}.company_id = ?${where(alias)}`;
  } else filter = `${alias}.${id} in (${streamedIds(scope.streams, null)})`;
  args.push(limit, offset);
  return {
    sql: `select ${source.columns}, ${alias}.${paging.sort.column} as page_key, ${alias}.${id} as page_id ` +
      `from ${source.table} ${alias} ${source.joins ?? ""} where ${filter} ${order(alias)} limit ? offset ?`,
    args,
  };
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

/** Lists of tasks. */
import { type Caller, isAdmin } from "../../core/access.ts";
import type { Answer } from "../../core/answer.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import type { Context } from "../../db/context.ts";
import { countOf, indexKindOf, type ListSource, pageOf, type Paging, totalOf } from "../../lists/pages.ts";
import { inScope, type Scope, teamScope } from "../../db/scope.ts";
import { indexed, raw, rawSql, type Sql, sql } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import type { Statement, Value } from "../../platform/database/database.ts";
import { presentTask, taskJson, taskOfJson } from "./present.ts";
import { type TaskListQuery, taskSorts } from "./schema.ts";
import { elsewhere, hasStatus, type TaskStatus } from "./stages.ts";

const source: ListSource = { table: "tasks", alias: "task", columns: `${taskJson.sql} as record` };

/** One page of the tasks of cases that the caller sees; by their start, unless told. */
export async function listTasks(ctx: Context, query: TaskListQuery, url: string): Promise<Answer> {
  const paging = pagingOf(query, taskSorts, "start_at");
  const scope = scopeOf(ctx.caller, query.show);
  const filters = conditionsOf(ctx, query);
  const [rows, ...counts] = await ctx.deps.db.read([
    query.status && readsInOrder(query, filters)
      ? pageOf(source, scope, paging, [inStage(scope, paging, query.status, ctx.at, filters)])
      : pageOf(source, scope, paging, [...statusOf(query, ctx.at), ...filters]),
    ...totals(ctx, query, scope, filters),
  ]);
  const total = counts.reduce((sum, { rows: [row] }) => sum + Number(row!.n), 0);
  return page(
    { url, origin: ctx.origin },
    paging,
    rows!.rows,
    total,
    (row) => presentTask(taskOfJson(row.record!), ctx.at),
  );
}

/** `mine`: the caller's own, read by user; `team`: those of cases of the caller's teams; else all visible. */
function scopeOf(caller: Caller, show: TaskListQuery["show"]): Scope {
  if (show === undefined) return teamScope(caller);
  const streams = show === "mine"
    ? [{ column: "user_id", values: [caller.userId] }]
    : [{ column: "team_id", values: caller.teamIds }];
  return { companyId: caller.companyId, streams };
}

function conditionsOf({ caller }: Context, query: TaskListQuery): Sql[] {
  const conditions: Sql[] = [];
  const among = (column: string, values: readonly (string | number)[]) =>
    sql`task.${rawSql(column)} in (select value from json_each(${JSON.stringify(values)}))`;
  // A task of one's own may stand in a team that one has left. The signs keep to the index by user.
  if (query.show === "mine" && !isAdmin(caller)) {
    const teams = "(+task.team_id is null or +task.team_id in (select value from json_each(?)))";
    conditions.push(raw(teams, JSON.stringify(caller.visibleTeamIds)));
  }
  if (query.users) conditions.push(indexed("in company", among("user_id", query.users)));
  if (query.case_ids) conditions.push(indexed("alone", among("case_id", query.case_ids)));
  if (query.types) conditions.push(among("type", query.types));
  return [...conditions, ...overlapping(caller, query)];
}

/**
 * Tasks that overlap a time. One of which both ends are given finds them: tasks that take about as long as
 * each other begin shortly before its start at the earliest.
 */
function overlapping({ companyId }: Caller, { start_at, end_at }: TaskListQuery): Sql[] {
  if (!start_at || !end_at) {
    return [
      ...(start_at ? [sql`task.end_at >= ${start_at}`] : []),
      ...(end_at ? [sql`task.start_at <= ${end_at}`] : []),
    ];
  }
  return [
    indexed(
      "alone",
      sql`task.id in (select t.id from json_each(${
        JSON.stringify(earliestStarts(start_at))
      }) s cross join tasks t on t.company_id = ${companyId} and t.span = s.key + 1
    and t.start_at >= s.value and t.start_at <= ${end_at} where t.end_at >= ${start_at})`,
    ),
  ];
}

/** From when on a task of a span may begin to be going on at the time, by span from 1. */
function earliestStarts(at: string): string[] {
  const seconds = parseTimestamp(at)! / 1000;
  return Array.from({ length: mostDigits }, (_, index) => {
    const earliest = (seconds - 8 ** (index + 1)) * 1000;
    return earliest < firstYear ? "" : formatTimestamp(earliest);
  });
}

/** Octal digits of the seconds of ten thousand years. */
const mostDigits = 13;
const firstYear = Date.parse("0001-01-01");

function statusOf({ status }: TaskListQuery, at: string): Sql[] {
  return status ? [hasStatus("task", status, at)] : [];
}

/** Whether the list is read in its order: nothing else finds its rows. */
function readsInOrder({ show }: TaskListQuery, filters: readonly Sql[]): boolean {
  return show !== "mine" && indexKindOf(filters) === null;
}

/**
 * The tasks of a page that have the status: of each team the first ones that are in that stage, and all that
 * have it and are in another.
 */
function inStage(scope: Scope, paging: Paging, status: TaskStatus, at: string, filters: readonly Sql[]): Sql {
  const args: Value[] = [];
  const take = ({ sql: text, args: values }: Sql) => {
    args.push(...values);
    return text;
  };
  const conditions = () => filters.map((filter) => ` and ${take(aliased(filter))}`).join("");
  const [direction, sign] = paging.sort.descending ? ["desc", "<"] : ["asc", ">"];
  const first = (team: string) => {
    args.push(scope.companyId, status);
    let rows = `t.company_id = ?${team} and t.stage = ? and ${take(hasStatus("+t", status, at))}`;
    rows += conditions();
    if (paging.after) {
      rows += ` and (t.start_at, t.id) ${sign} (?, ?)`;
      args.push(...paging.after);
    }
    args.push(paging.per_page + 1 + (paging.after ? 0 : (paging.page - 1) * paging.per_page));
    return `select t.id from tasks t where ${rows} order by t.start_at ${direction}, t.id ${direction} limit ?`;
  };
  let staged: string;
  if (scope.streams === null) staged = `select id from (${first("")})`;
  else {
    args.push(JSON.stringify(scope.streams.flatMap(({ values }) => values)));
    staged = "select p.value from json_each(?) s join json_each((select json_group_array(r.id) from (" +
      `${first(" and t.team_id is s.value")}) r)) p`;
  }
  const others = elsewhere("t", at).map((part) =>
    ` union all select t.id from tasks t where ${take(part)} and ${take(hasStatus("+t", status, at))} ` +
    `and ${take(inScope(scope, "t", part.index))}${conditions()}`
  );
  return indexed("alone", raw(`task.id in (${staged}${others.join("")})`, ...args));
}

function aliased({ sql: text, args }: Sql): Sql {
  return raw(text.replaceAll("task.", "t."), ...args);
}

/** What is counted adds up to the number of all that match. */
function totals(ctx: Context, query: TaskListQuery, scope: Scope, filters: readonly Sql[]): Statement[] {
  const { status } = query;
  if (filters.length > 0 || query.show === "mine") {
    return [countOf(source, scope, [...statusOf(query, ctx.at), ...filters])];
  }
  if (!status) return [totalOf("tasks", scope)];
  const now = hasStatus("t", status, ctx.at);
  const corrections = elsewhere("t", ctx.at).map((part) => {
    const seen = inScope(scope, "t", part.index);
    return sql`select coalesce(sum(iif(${now}, 1, 0) - iif(t.stage = ${status}, 1, 0)), 0) as n from tasks t
      where ${part} and ${seen}`;
  });
  return [totalOf("tasks", scope, [status]), ...corrections];
}

/** Lists of tasks. */
import { type Caller, isAdmin } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { type Scope, teamScope } from "../../db/scope.ts";
import { bounded, identifier, joined, type Sql, sql } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import { columnIn, type ListCondition, onColumn, tested } from "../../lists/conditions.ts";
import { type List, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { type Selection, unfiltered } from "../../lists/selection.ts";
import { totalOf } from "../../lists/totals.ts";
import type { Statement } from "../../platform/database/database.ts";
import { taskIndexes } from "./filter_fields.ts";
import { presentTask, taskJson, taskOfJson, type TaskStatus } from "../case_parts/tasks.ts";
import { type TaskListQuery, taskSorts } from "./schema.ts";
import { overlapping } from "./span_paths.ts";
import { elsewhere, hasStatus } from "./stages.ts";

const taskList: List = {
  table: "tasks",
  alias: "task",
  columns: sql`${taskJson} as record`,
  sorts: taskSorts,
  order: "start_at",
  indexes: taskIndexes,
};

/** Lists the tasks of cases that the caller sees; by their start unless the query sorts otherwise. */
export async function listTasks(ctx: Context, query: TaskListQuery, url: string) {
  const paging = pagingOf(query, taskList);
  const scope = scopeOf(ctx.caller, query.show);
  const inOrder = isInOrder(query);
  const { rows, total } = await readList(ctx, taskList, {
    scope,
    paging,
    selection: inOrder ? unfiltered : selectionOf(ctx, query),
    ids: inOrder && query.status ? inStage(scope, paging, query.status, ctx.at) : undefined,
    totals: inOrder ? totals(scope, query.status, ctx.at) : undefined,
  });
  return page(
    { url, ctx },
    paging,
    rows,
    total,
    (row) => presentTask(taskOfJson(row.record!), ctx.at),
  );
}

/** Whether only a status selects tasks. The list is then read in its order, and counters have the total. */
function isInOrder({ show, users, case_ids, types, start_at, end_at }: TaskListQuery): boolean {
  return show !== "mine" && [users, case_ids, types, start_at, end_at].every((given) => given === undefined);
}

/** `mine`: the caller's own, read by user; `team`: those of cases of the caller's teams; else all visible. */
function scopeOf(caller: Caller, show: TaskListQuery["show"]): Scope {
  if (show === undefined) return teamScope(caller);
  const streams = show === "mine"
    ? [{ column: "user_id", values: [caller.userId] }]
    : [{ column: "team_id", values: caller.teamIds }];
  return { companyId: caller.companyId, streams };
}

function selectionOf({ caller, at }: Context, query: TaskListQuery): Selection {
  const { users, case_ids, types, status, show } = query;
  const times = overlapping(caller, query, at);
  return {
    conditions: [
      ...(show === "mine" && !isAdmin(caller) ? [seenBy(caller)] : []),
      ...(users ? [columnIn("user_id", users)] : []),
      ...(case_ids ? [columnIn("case_id", case_ids, 0.0005)] : []),
      ...(types ? [columnIn("type", types, 0.3)] : []),
      ...(status ? [tested((own) => hasStatus(sql`+${identifier(own)}`, status, at))] : []),
      ...times.conditions,
    ],
    paths: times.paths,
  };
}

/**
 * Selects tasks of teams that the caller sees. The caller's own tasks may belong to a team that the caller
 * has left.
 */
function seenBy({ visibleTeamIds }: Caller): ListCondition {
  const teams = JSON.stringify(visibleTeamIds);
  return onColumn(
    (own) => identifier(own, "team_id"),
    null,
    (of) => sql`(${of} is null or ${of} in (select value from json_each(${teams})))`,
    1,
  );
}

/**
 * SQL: ids of tasks that have the status, including those of the page: the first tasks of each team whose
 * stage is the status, and all tasks whose stage may differ from their status.
 */
function inStage(scope: Scope, paging: Paging, status: TaskStatus, at: string): Sql {
  const [direction, sign] = paging.sort.descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const has = hasStatus(sql`+t`, status, at);
  const after = paging.after
    ? sql` and (t.start_at, t.id) ${sign} (${paging.after[0]}, ${paging.after[1]})`
    : sql``;
  const first = (team: Sql) =>
    sql`select t.id from tasks t where t.company_id = ${scope.companyId}${team} and t.stage = ${status}
      and ${has}${after} order by t.start_at ${direction}, t.id ${direction}
      limit ${bounded(paging.per_page + 1 + paging.offset)}`;
  const staged = scope.streams === null
    ? sql`select id from (${first(sql``)})`
    : sql`select p.value from json_each(${
      JSON.stringify(scope.streams.flatMap(({ values }) => values))
    }) s join json_each((select json_group_array(r.id) from (${first(sql` and t.team_id is s.value`)}) r)) p`;
  const others = elsewhere(scope, "t", at).map((part) =>
    sql`select t.id from tasks t where ${part} and ${has}${after}`
  );
  return joined([staged, ...others], " union all ");
}

/** Returns statements whose `n` add up to the number of all tasks that match. */
function totals(scope: Scope, status: TaskStatus | undefined, at: string): Statement[] {
  if (!status) return [totalOf("tasks", scope)];
  const now = hasStatus(sql`t`, status, at);
  const corrections = elsewhere(scope, "t", at).map((part) =>
    sql`select coalesce(sum(iif(${now}, 1, 0) - iif(t.stage = ${status}, 1, 0)), 0) as n from tasks t
      where ${part}`
  );
  return [totalOf("tasks", scope, [status]), ...corrections];
}

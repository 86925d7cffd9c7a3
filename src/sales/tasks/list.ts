/** Lists of tasks. */
import { type Caller, isAdmin } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { makeTeamScope, type Scope } from "../../db/scope.ts";
import { bindRows, identifier, joinSql, type Sql, sql } from "../../db/statements.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { columnIn, type ListCondition, makeTestCondition, onColumn } from "../../lists/conditions.ts";
import { type List, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { intersectSelections, type Selection, unfiltered } from "../../lists/selection.ts";
import { taskJson } from "../case_parts/tasks.ts";
import type { TaskStatus } from "./record.ts";
import { caseOfTaskJson, presentTaskRow } from "./of_case.ts";
import { readTaskCounts, selectTaskCounts } from "./counts.ts";
import { taskIndexes } from "./filter_fields.ts";
import { type TaskListQuery, taskSorts } from "./schema.ts";
import { selectOverlapping } from "./span_paths.ts";
import { elsewhere, hasStatus } from "./stages.ts";

const taskList: List = {
  table: "tasks",
  alias: "task",
  columns: sql`${taskJson} as record, ${caseOfTaskJson} as of`,
  sorts: taskSorts,
  order: "start_at",
  indexes: taskIndexes,
};

/** Lists the tasks of cases that the caller sees; by their start unless the query sorts otherwise. */
export async function listTasks(ctx: Context, query: TaskListQuery, url: string) {
  const paging = parsePaging(query, taskList);
  const scope = chooseScope(ctx.caller, query.show);
  const inOrder = isInOrder(query);
  const selection = inOrder ? unfiltered : makeSelection(ctx, query);
  const status = query.status && [...new Set(query.status)];
  const { rows, extraResults } = await readList(ctx, taskList, {
    scope,
    paging,
    selection: intersectSelections(
      selection,
      inOrder || !status ? unfiltered : selectByStatuses(status, ctx.at),
    ),
    ids: inOrder && status ? selectInStages(scope, paging, status, ctx.at) : undefined,
    totals: [],
    extraReads: selectTaskCounts(scope, inOrder ? null : selection, ctx.at),
  });
  const statuses = readTaskCounts(extraResults);
  const total = status ? status.reduce((sum, each) => sum + statuses[each], 0) : statuses.all;
  return page({ url, ctx }, paging, rows, total, (row) => presentTaskRow(row, ctx.at), { statuses });
}

/** Whether only a status selects tasks. The list is then read in its order, and counters have the total. */
function isInOrder({ show, users, case_ids, types, start_at, end_at }: TaskListQuery): boolean {
  return show !== "mine" && [users, case_ids, types, start_at, end_at].every((given) => given === undefined);
}

/** `mine`: the caller's own, read by user; `team`: those of cases of the caller's teams; else all visible. */
function chooseScope(caller: Caller, show: TaskListQuery["show"]): Scope {
  if (show === undefined) return makeTeamScope(caller);
  const streams = show === "mine"
    ? [{ column: "user_id", values: [caller.userId] }]
    : [{ column: "team_id", values: caller.teamIds }];
  return { companyId: caller.companyId, streams };
}

function makeSelection({ caller, at }: Context, query: TaskListQuery): Selection {
  const { users, case_ids, types, show } = query;
  const times = selectOverlapping(caller, query, at);
  return {
    conditions: [
      ...(show === "mine" && !isAdmin(caller) ? [limitToSeenTasks(caller)] : []),
      ...(users ? [columnIn("user_id", users)] : []),
      ...(case_ids ? [columnIn("case_id", case_ids, 0.0005)] : []),
      ...(types ? [columnIn("type", types, 0.3)] : []),
      ...times.conditions,
    ],
    paths: times.paths,
  };
}

/**
 * Selects tasks of teams that the caller sees. The caller's own tasks may belong to a team that the caller
 * has left.
 */
function limitToSeenTasks({ visibleTeamIds }: Caller): ListCondition {
  const teams = JSON.stringify(visibleTeamIds);
  return onColumn(
    (own) => identifier(own, "team_id"),
    null,
    (of) => sql`(${of} is null or ${of} in (select value from json_each(${teams})))`,
    1,
  );
}

/** Selects the tasks that have one of the statuses. */
function selectByStatuses(statuses: readonly TaskStatus[], at: string): Selection {
  return {
    conditions: [makeTestCondition((own) => hasAnyStatus(sql`+${identifier(own)}`, statuses, at))],
    paths: () => [],
  };
}

function hasAnyStatus(own: Sql, statuses: readonly TaskStatus[], at: string): Sql {
  return sql`(${joinSql(statuses.map((status) => hasStatus(own, status, at)), " or ")})`;
}

/**
 * SQL: ids of tasks that have one of the statuses, including those of the page: for each, the first tasks of
 * each team whose stage is the status, and all tasks whose stage may differ from their status.
 */
function selectInStages(scope: Scope, paging: Paging, statuses: readonly TaskStatus[], at: string): Sql {
  const [direction, sign] = paging.sort.descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const key = identifier("t", paging.sort.column);
  const behind = (own: Sql, id: Sql) =>
    paging.after ? sql` and (${own}, ${id}) ${sign} (${paging.after[0]}, ${paging.after[1]})` : sql``;
  const after = behind(key, sql`t.id`);
  // Keeps the few tasks in the indexes that find them: that of the order has all others, too.
  const afterElsewhere = behind(sql`+${key}`, sql`+t.id`);
  const first = (status: TaskStatus, team: Sql) =>
    sql`select t.id from tasks t where t.company_id = ${scope.companyId}${team} and t.stage = ${status}
      and ${hasStatus(sql`+t`, status, at)}${after} order by ${key} ${direction}, t.id ${direction}
      limit ${bindRows(paging.per_page + 1 + paging.offset)}`;
  const selectByStage = (status: TaskStatus) =>
    scope.streams === null
      ? sql`select id from (${first(status, sql``)})`
      : sql`select p.value from json_each(${JSON.stringify(scope.streams.flatMap(({ values }) => values))}) s
        join json_each((select json_group_array(r.id)
        from (${first(status, sql` and t.team_id is s.value`)}) r)) p`;
  const others = elsewhere(scope, "t", at).map((part) =>
    sql`select t.id from tasks t where ${part} and ${hasAnyStatus(sql`+t`, statuses, at)}${afterElsewhere}`
  );
  return joinSql([...statuses.map(selectByStage), ...others], " union all ");
}

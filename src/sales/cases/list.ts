/** Lists of cases. */
import { type Caller, isAdmin } from "../../core/access.ts";
import type { Answer } from "../../core/answer.ts";
import { plain } from "../../core/json.ts";
import { searchMatch } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { createdWithin, findsOf, type ListSource, pageOf, type Sort } from "../../db/pages.ts";
import { inScope, type Scope, teamScope } from "../../db/scope.ts";
import { finding, raw, type Sql, statement } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import type { Row, Statement, Value } from "../../platform/database/database.ts";
import { recentRange, type Status, statuses } from "./lifecycle.ts";
import { presentCaseEntry } from "./present.ts";
import { caseColumns, caseJoins, caseOfRow } from "./record.ts";
import type { CaseListQuery } from "./schema.ts";

const source: ListSource = { table: "cases", alias: "cs", columns: caseColumns, joins: caseJoins };

const sortColumns = { important: "important_key", recent: "recent_key" };

/** One page of cases, with how many of each status match all filters but `status`. */
export async function listCases(ctx: Context, query: CaseListQuery, url: string): Promise<Answer> {
  const mode = query.sort_mode === "recent" ? "-recent" : "important";
  const paging = pagingOf({ ...query, sort: mode }, sortColumns, mode);
  const scope = scopeOf(ctx.caller, query.show);
  const filters = conditionsOf(ctx, query, paging.sort);
  const status = query.status ? [statusCondition(query.status, query.sort_mode)] : [];
  const counted = filters.length === 0 && query.show !== "mine"
    ? countersOf(scope)
    : countsOf(scope, filters);
  const [rows, counts] = await ctx.deps.db.read([
    pageOf(source, scope, paging, [...status, ...filters]),
    counted,
  ]);
  const found = statusCounts(counts!.rows);
  return page(
    { url, origin: ctx.origin },
    paging,
    rows!.rows,
    query.status ? found[query.status] : found.all,
    (row) => presentCaseEntry(caseOfRow(row), ctx),
    { statuses: plain(found) },
  );
}

/** `mine`: the caller's own, read by user; `team`: those of the caller's teams; else all visible. */
function scopeOf(caller: Caller, show: CaseListQuery["show"]): Scope {
  if (show === undefined) return teamScope(caller);
  const streams = show === "mine"
    ? [{ column: "user_id", values: [caller.userId] }]
    : [{ column: "team_id", values: caller.teamIds }];
  return { companyId: caller.companyId, streams };
}

/** The order of `recent` goes by status first, so there a status is a stretch of the index. */
function statusCondition(status: Status, mode: CaseListQuery["sort_mode"]): Sql {
  if (mode !== "recent") return raw("cs.status = ?", status);
  return raw("cs.recent_key >= ? and cs.recent_key < ?", ...recentRange(status));
}

function conditionsOf(ctx: Context, query: CaseListQuery, sort: Sort): Sql[] {
  const { caller } = ctx;
  const conditions: Sql[] = [];
  const where = (text: string, ...args: Value[]) => void conditions.push(raw(text, ...args));
  const among = (column: string, values: readonly (string | number)[] | undefined) => {
    if (values) where(`cs.${column} in (select value from json_each(?))`, JSON.stringify(values));
  };
  const found = (column: string, values: readonly (string | number)[] | undefined) => {
    const text = `cs.${column} in (select value from json_each(?))`;
    if (values) conditions.push(finding("in company", text, JSON.stringify(values)));
  };
  // A case of one's own may stand in a team that one has left. The signs keep to the index by user.
  if (query.show === "mine" && !isAdmin(caller)) {
    const teams = "(+cs.team_id is null or +cs.team_id in (select value from json_each(?)))";
    where(teams, JSON.stringify(caller.visibleTeamIds));
  }
  found("user_id", query.users);
  among("team_id", query.teams);
  found("lead_type_id", query.lead_types);
  among("lead_source", query.lead_sources);
  among("relations_path_id", query.relations_paths);
  among("highest_milestone_type", query.milestone_types);
  among("highest_milestone_id", query.milestone_ids);
  if (query.created_from_lead !== undefined) {
    where(`cs.lead_type_id is ${query.created_from_lead ? "not null" : "null"}`);
  }
  conditions.push(...createdWithin("cs", query, sort));
  if (query.milestone_start_at) where("cs.highest_milestone_at >= ?", query.milestone_start_at);
  if (query.milestone_end_at) where("cs.highest_milestone_at <= ?", query.milestone_end_at);
  if (query.stock_vehicle_id) {
    conditions.push(finding("in company", "cs.stock_vehicle_id = ?", query.stock_vehicle_id));
  }
  const match = query.search ? searchMatch(`c${caller.companyId}z`, query.search) : null;
  if (match) {
    const text = "cs.seq in (select rowid from cases_search where cases_search match ?)";
    conditions.push(finding("alone", text, match));
  }
  return conditions;
}

/** By status, from the counters that triggers keep; they know teams. */
function countersOf(scope: Scope): Statement {
  const teams = scope.streams?.flatMap(({ values }) => values.map((value) => value ?? 0));
  const among = teams ? " and team_id in (select value from json_each(?))" : "";
  return statement(
    "select status, sum(n) as n from totals where company_id = ? and kind = 'cases'" +
      `${among} group by status`,
    scope.companyId,
    ...(teams ? [JSON.stringify(teams)] : []),
  );
}

function countsOf(scope: Scope, filters: readonly Sql[]): Statement {
  const terms = [inScope(scope, "cs", findsOf(filters)), ...filters];
  return statement(
    `select cs.status, count(*) as n from cases cs where ${
      terms.map(({ text }) => `(${text})`).join(" and ")
    } ` +
      "group by +cs.status",
    ...terms.flatMap(({ args }) => args),
  );
}

function statusCounts(rows: readonly Row[]) {
  const of = Object.fromEntries(rows.map((row) => [row.status as string, Number(row.n)]));
  const [open = 0, closed = 0, declined = 0] = statuses.map((status) => of[status]);
  return { all: open + closed + declined, open, closed, declined };
}

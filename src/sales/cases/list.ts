/** Lists of cases. */
import type { Caller } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { makeTeamScope, type Scope, type Stream } from "../../db/scope.ts";
import { identifier, joinSql, sql } from "../../db/statements.ts";
import { page, parsePaging } from "../../http/lists.ts";
import type { ListCondition } from "../../lists/conditions.ts";
import { type List, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectCountsBy } from "../../lists/counts_by.ts";
import type { Selection } from "../../lists/selection.ts";
import { selectTotalsBy } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { requireAccount, selectAccountById } from "../../customers/accounts/queries.ts";
import { caseIndexes } from "./filter_fields.ts";
import { storedCaseStatuses } from "./lifecycle.ts";
import { limitToSeenCases, limitToStatus, makeCaseSelection } from "./list_conditions.ts";
import { presentBriefCase, presentCaseEntry } from "./present.ts";
import { caseColumns, caseJoins, hidesValues, readCaseRow } from "./parts.ts";
import { type AccountCasesQuery, type CaseListQuery, caseSorts } from "./list_schema.ts";

const caseList: List = {
  table: "cases",
  alias: "cs",
  columns: caseColumns,
  joins: caseJoins,
  sorts: { ...caseSorts, important: "important_key", recent: "recent_key" },
  order: "important",
  indexes: caseIndexes,
};

/** A statement that a list of cases reads in the same round trip. `check` throws to refuse the list. */
export interface AlsoRead {
  readonly read: Statement;
  readonly check: (found: Result) => void;
}

/** A page of cases, with counts by status under all filters except `status`. */
export async function listCases(ctx: Context, query: CaseListQuery, url: string, also?: AlsoRead) {
  const scope = chooseScope(ctx.caller, query);
  // A stream by user does not limit the teams.
  const isByTeam = scope.streams?.every(({ column }) => column === "team_id") ?? true;
  const seen = isByTeam ? [] : limitToSeenCases(ctx.caller);
  const selection = makeCaseSelection(ctx, isByTeam ? { ...query, teams: undefined } : query);
  const isNarrowed = selection.conditions.length > 0;
  const counts = isByTeam && !isNarrowed ? selectCounters(scope) : selectCounts(scope, selection, seen);
  const paging = await pagingFor(ctx, query);
  const { rows, extraResults: [counted, read] } = await readList(ctx, caseList, {
    scope,
    paging,
    fixedConditions: [...limitToStatus(query.status, query.sort_mode), ...seen],
    selection,
    totals: [],
    extraReads: [counts, ...(also ? [also.read] : [])],
    isThreaded: isNarrowed,
  });
  also?.check(read!);
  return makeAnswer(ctx, url, paging, query, rows, counted!);
}

/** Lists the cases of an account like `listCases`. Throws 404 when the caller does not see the account. */
export async function listCasesOfAccount(
  ctx: Context,
  accountId: string,
  query: AccountCasesQuery,
  url: string,
) {
  const scope = only(ctx.caller, { column: "account_id", values: [accountId] });
  const selection = makeCaseSelection(ctx, query);
  const seen = limitToSeenCases(ctx.caller);
  const counts = selectCounts(scope, selection, seen);
  const paging = await pagingFor(ctx, query);
  const { rows, extraResults: [account, counted] } = await readList(ctx, caseList, {
    scope,
    paging,
    fixedConditions: [...limitToStatus(query.status, undefined), ...seen],
    selection,
    totals: [],
    extraReads: [selectAccountById(ctx.caller.companyId, accountId), counts],
    isThreaded: selection.conditions.length > 0,
  });
  requireAccount(ctx, account!);
  return makeAnswer(ctx, url, paging, query, rows, counted!);
}

/**
 * `mine`: the caller's own; `team`: those of the caller's teams; else all visible. Given teams become the
 * scope, so that the counters have the total.
 */
export function chooseScope(caller: Caller, { show, teams }: Pick<CaseListQuery, "show" | "teams">): Scope {
  if (show === "mine") return only(caller, { column: "user_id", values: [caller.userId] });
  const scope = show === "team"
    ? only(caller, { column: "team_id", values: caller.teamIds })
    : makeTeamScope(caller);
  if (teams === undefined) return scope;
  const [all] = scope.streams ?? [];
  const values = [...new Set(teams)].filter((team) => !all || all.values.includes(team));
  return only(caller, { column: "team_id", values });
}

function only({ companyId }: Caller, stream: Stream): Scope {
  return { companyId, streams: [stream] };
}

type PageQuery = Partial<Pick<CaseListQuery, "sort_mode" | "sort" | "page" | "per_page" | "after">>;

async function pagingFor(ctx: Context, query: PageQuery): Promise<Paging> {
  const mode = query.sort_mode === "recent" ? "-recent" : "important";
  const { sort = mode } = query;
  // An order by values that nobody sees would show them.
  const isHidden = /^-?value$/.test(sort) && await hidesValues(ctx);
  return parsePaging({ ...query, sort: isHidden ? sort.replace("value", "created_at") : sort }, caseList);
}

function selectCounts(
  scope: Scope,
  { conditions, paths }: Selection,
  seen: readonly ListCondition[],
): Statement {
  const grouped = { column: "status", values: storedCaseStatuses };
  return selectCountsBy(caseList, scope, { conditions: [...conditions, ...seen], paths }, grouped);
}

/** Counts by status, from the counters that triggers maintain. */
function selectCounters(scope: Scope): Statement {
  const sums = storedCaseStatuses.map((status) =>
    sql`sum(iif(status = ${status}, n, 0)) as ${identifier(status)}`
  );
  return sql`select ${joinSql(sums, ", ")} from (${selectTotalsBy("cases", scope)})`;
}

function makeAnswer(
  ctx: Context,
  url: string,
  paging: Paging,
  { status, view }: Pick<CaseListQuery, "status" | "view">,
  rows: readonly Row[],
  counts: Result,
) {
  const found = statusCounts(counts.rows);
  const present = view === "summary" ? presentBriefCase : presentCaseEntry;
  return page(
    { url, ctx },
    paging,
    rows,
    status ? found[status] : found.all,
    (row) => present(readCaseRow(row), ctx),
    { statuses: found },
  );
}

function statusCounts([row]: readonly Row[]) {
  const [open = 0, closed = 0, declined = 0] = storedCaseStatuses.map((status) => Number(row![status]));
  return { all: open + closed + declined, open, closed, declined };
}

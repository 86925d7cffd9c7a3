/** Lists of cases. */
import { type Caller, isAdmin } from "../../core/access.ts";
import type { Answer } from "../../core/answer.ts";
import { plain } from "../../core/json.ts";
import type { Context } from "../../db/context.ts";
import { largePageRead } from "../../lists/large_pages.ts";
import { type ListSource, pageOf, type Paging } from "../../lists/pages.ts";
import { inScope, type Scope, type Stream, teamScope } from "../../db/scope.ts";
import { raw, type Sql, sql, statement } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { accountById, accountOf } from "../../customers/accounts/queries.ts";
import { statuses } from "./lifecycle.ts";
import { type ListConditions, listConditions, ofStatus } from "./list_conditions.ts";
import { presentCaseEntry } from "./present.ts";
import { caseColumns, caseJoins, caseOfRow } from "./record.ts";
import type { AccountCasesQuery, CaseListQuery } from "./schema.ts";

const source: ListSource = { table: "cases", alias: "cs", columns: caseColumns.sql, joins: caseJoins.sql };

const sortColumns = { important: "important_key", recent: "recent_key" };

/** One page of cases, with how many of each status match all filters but `status`. */
export async function listCases(ctx: Context, query: CaseListQuery, url: string): Promise<Answer> {
  const scope = scopeOf(ctx.caller, query);
  // Streams of users and accounts know nothing of teams.
  const byTeam = scope.streams?.every(({ column }) => column === "team_id") ?? true;
  const own = byTeam ? [] : seenBy(ctx.caller);
  const narrowed = listConditions(ctx, byTeam ? { ...query, teams: undefined } : query);
  const counted = byTeam && narrowed.conditions.length === 0
    ? countersOf(scope)
    : countsOf(scope, narrowed, own, byTeam);
  const { paging, read } = pageRead(scope, query, narrowed, own);
  const [rows, counts] = await largePageRead(ctx, paging)([read, beside(ctx, counted, narrowed)]);
  return answered(ctx, url, paging, query.status, rows!, counts!);
}

/** The same of the cases of an account; 404 when the caller does not see that. */
export async function listCasesOfAccount(
  ctx: Context,
  accountId: string,
  query: AccountCasesQuery,
  url: string,
): Promise<Answer> {
  const scope = only(ctx.caller, { column: "account_id", values: [accountId] });
  const narrowed = listConditions(ctx, query);
  const own = seenBy(ctx.caller);
  const { paging, read } = pageRead(scope, query, narrowed, own);
  const [account, rows, counts] = await largePageRead(ctx, paging)([
    accountById(ctx.caller.companyId, accountId),
    read,
    beside(ctx, countsOf(scope, narrowed, own, false), narrowed),
  ]);
  accountOf(ctx, account!);
  return answered(ctx, url, paging, query.status, rows!, counts!);
}

/**
 * `mine`: the caller's own; `team`: those of the caller's teams; else all visible. Teams asked for are read
 * alone, so that the counters know how many there are.
 */
function scopeOf(caller: Caller, { show, teams }: CaseListQuery): Scope {
  if (show === "mine") return only(caller, { column: "user_id", values: [caller.userId] });
  const scope = show === "team"
    ? only(caller, { column: "team_id", values: caller.teamIds })
    : teamScope(caller);
  if (teams === undefined) return scope;
  const [all] = scope.streams ?? [];
  const values = [...new Set(teams)].filter((team) => !all || all.values.includes(team));
  return only(caller, { column: "team_id", values });
}

/** What filters leave may be many to count. */
function beside({ caller }: Context, counts: Statement, { conditions }: ListConditions): Statement {
  return conditions.length === 0
    ? counts
    : { ...counts, aside: { effort: "few", company: caller.companyId } };
}

function only({ companyId }: Caller, stream: Stream): Scope {
  return { companyId, streams: [stream] };
}

/** A case of one's own may stand in a team that one has left. The signs keep to the index by user. */
function seenBy(caller: Caller): Sql[] {
  if (isAdmin(caller)) return [];
  const teams = JSON.stringify(caller.visibleTeamIds);
  return [sql`(+cs.team_id is null or +cs.team_id in (select value from json_each(${teams})))`];
}

function pageRead(
  scope: Scope,
  query: Pick<CaseListQuery, "sort_mode" | "status" | "page" | "per_page" | "after">,
  { conditions, finder }: ListConditions,
  own: readonly Sql[],
): { paging: Paging; read: Statement } {
  const mode = query.sort_mode === "recent" ? "-recent" : "important";
  const paging = pagingOf({ ...query, sort: mode }, sortColumns, mode);
  const [status, checkedStatus] = ofStatus(query.status, query.sort_mode);
  const finding = finder && {
    index: finder.index,
    conditions: [...finder.conditions, ...checkedStatus, ...own],
    isSelective: finder.isSelective,
  };
  return { paging, read: pageOf(source, scope, paging, [...status, ...conditions, ...own], finding) };
}

function answered(
  ctx: Context,
  url: string,
  paging: Paging,
  status: CaseListQuery["status"],
  rows: Result,
  counts: Result,
): Promise<Answer> {
  const found = statusCounts(counts.rows);
  return page(
    { url, origin: ctx.origin },
    paging,
    rows.rows,
    status ? found[status] : found.all,
    (row) => presentCaseEntry(caseOfRow(row), ctx),
    { statuses: plain(found) },
  );
}

/** By status, from the counters that triggers keep; they know teams. */
function countersOf(scope: Scope): Statement {
  const teams = scope.streams?.flatMap(({ values }) => values.map((value) => value ?? 0));
  const among = teams ? " and team_id in (select value from json_each(?))" : "";
  return statement(
    `select ${statuses.map((status) => `sum(iif(status = '${status}', n, 0)) as ${status}`)} ` +
      `from totals where company_id = ? and kind = 'cases'${among}`,
    scope.companyId,
    ...(teams ? [JSON.stringify(teams)] : []),
  );
}

/**
 * What one condition finds is counted in its index, which has status and team. Otherwise they are counted where
 * one finds few, or else in the scope.
 */
function countsOf(
  scope: Scope,
  { conditions, finder }: ListConditions,
  own: readonly Sql[],
  byTeam: boolean,
): Statement {
  const walked = [inScope(scope, "cs"), ...conditions, ...own];
  if (!finder) return counted([{ terms: walked, limit: null }]);
  const found = [inScope(scope, "cs", finder.index), ...finder.conditions, ...own];
  if (byTeam && conditions.length === 1) return counted([{ terms: found, limit: null }]);
  const { sql: text, args } = finder.isSelective;
  return counted([
    { terms: found, limit: raw(`iif(${text}, -1, 0)`, ...args) },
    { terms: walked, limit: raw(`iif(${text}, 0, -1)`, ...args) },
  ]);
}

/** One row of how many have each status: sums, as groups would be sorted. `limit`: how many are looked at. */
function counted(parts: readonly { terms: readonly Sql[]; limit: Sql | null }[]): Statement {
  const selects = parts.map(({ terms, limit }) => {
    const rows = `select cs.status from cases cs where ${
      terms.map(({ sql: text }) => `(${text})`).join(" and ")
    }`;
    return limit ? `select status from (${rows} limit ${limit.sql})` : rows;
  });
  return statement(
    `select ${statuses.map((status) => `sum(status = '${status}') as ${status}`)} ` +
      `from (${selects.join(" union all ")})`,
    ...parts.flatMap(({ terms, limit }) => [...terms, ...(limit ? [limit] : [])]).flatMap(({ args }) => args),
  );
}

function statusCounts([row]: readonly Row[]) {
  const [open = 0, closed = 0, declined = 0] = statuses.map((status) => Number(row![status]));
  return { all: open + closed + declined, open, closed, declined };
}

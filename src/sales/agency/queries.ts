/** Reads for agency users: the leads that wait for them, and the dealers. */
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import {
  columnBetween,
  columnIs,
  type ListCondition,
  makeTestCondition,
  onColumn,
} from "../../lists/conditions.ts";
import { readList } from "../../lists/list.ts";
import { searchSelection } from "../../lists/search.ts";
import { intersectSelections } from "../../lists/selection.ts";
import { makeAgencyScope } from "../../db/scope.ts";
import { identifier, sql } from "../../db/statements.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { presentTeam } from "../../identity/teams/present.ts";
import {
  listTeams,
  parseTeam,
  readTeams,
  selectTeamsByIds,
  teamObject,
} from "../../identity/teams/queries.ts";
import type { Statement } from "../../platform/database/database.ts";
import { awaitsAgency, type LeadStatus } from "../leads/lifecycle.ts";
import { checkAgency } from "../leads/access.ts";
import { requireLead, selectLeadById } from "../leads/queries.ts";
import { isLiveLead } from "../leads/filter_fields.ts";
import { selectLiveTotals } from "../leads/counts.ts";
import { choosePresenter, chooseWaitingList, limitToSources } from "../leads/list.ts";
import { type DealerListQuery, dealerSorts, type TeamWaitingQuery } from "./schema.ts";

/**
 * Lists the leads of a status that belong to the caller's agency teams or to none; for admins, all of the
 * company.
 */
export async function listWaiting(
  ctx: Context,
  status: LeadStatus,
  query: TeamWaitingQuery,
  url: string,
) {
  const list = chooseWaitingList(query, status);
  const paging = parsePaging(query, list);
  const scope = makeAgencyScope(ctx.caller);
  const isCalled = status === "called";
  const called = isCalled ? [columnIs("status", status, 0.01)] : [];
  const { rows, total } = await readList(ctx, list, {
    scope,
    paging,
    fixedConditions: [
      ...(isCalled ? [] : [waitsAs(status)]),
      makeTestCondition((own) => isLiveLead(own, ctx.at, false), 1),
    ],
    selection: intersectSelections(
      { conditions: [...makeConditions(query, ctx.at), ...called], paths: () => [] },
      searchSelection("leads_search", `c${scope.companyId}z`, query.search),
    ),
    totals: selectLiveTotals(scope, status, ctx.at),
  });
  return page({ url, ctx }, paging, rows, total, choosePresenter(ctx, query));
}

/** Lists the dealers of the company. */
export async function listDealers(ctx: Context, query: DealerListQuery, url: string) {
  const paging = parsePaging(query, { sorts: dealerSorts, order: "-created_at" });
  const groups = query.group_id === undefined ? undefined : [query.group_id];
  const { rows, total } = await listTeams(ctx, paging, { groups, dealers: true });
  return page(
    { url, ctx },
    paging,
    rows,
    total,
    (row) => presentTeam(parseTeam(row.team), ctx.now, ctx.fields.seen),
  );
}

/** Throws 404 for a team that is not a dealer. */
export async function getDealer(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectTeamsByIds(ctx.caller.companyId, [id])]);
  const [team] = readTeams(found!);
  if (!team || team.team_type !== "dealer") throw notFound();
  return ok(presentTeam(team, ctx.now, ctx.fields.seen));
}

/** Lists the dealers that the caller may assign the lead to, by name, each with its number of open cases. */
export async function listAssignableTeams(ctx: Context, leadId: string) {
  const { companyId } = ctx.caller;
  const [found, teams] = await ctx.deps.db.read([
    selectLeadById(companyId, leadId),
    selectDealersWithCases(companyId),
  ]);
  checkAgency(ctx.caller, requireLead(ctx, found!));
  return ok({
    data: teams!.rows.map(({ team, case_count }) =>
      presentTeam(parseTeam(team), ctx.now, ctx.fields.seen, { case_count: Number(case_count) })
    ),
  });
}

/**
 * Selects the leads that wait with a status. Few match: without `unlikely` SQLite may read all leads of the
 * company in the order of the list. The first part is the condition of the partial indexes.
 */
function waitsAs(status: LeadStatus): ListCondition {
  return onColumn(
    (own) => identifier(own, "status"),
    "equal",
    (of) => sql`${awaitsAgency(of)} and unlikely(${of} = ${status})`,
    0.01,
  );
}

function makeConditions(
  { team_id, lead_type_id, lead_sources, start_date, end_date }: TeamWaitingQuery,
  at: string,
): ListCondition[] {
  return [
    ...(team_id === undefined ? [] : [columnIs("team_id", team_id, 0.02)]),
    ...(lead_type_id === undefined ? [] : [columnIs("lead_type_id", lead_type_id, 0.1)]),
    ...(lead_sources ? limitToSources(lead_sources) : []),
    ...columnBetween("created_at", { from: start_date, until: end_date }, at),
  ];
}

/** Reads the dealers with the counters of their open cases. */
function selectDealersWithCases(companyId: number): Statement {
  const openCases = sql`select c.n from totals c where c.company_id = t.company_id and c.kind = 'cases'
    and c.team_id = t.id and c.status = 'open' and c.agency_team_id = 0`;
  return sql`select ${teamObject} as team, coalesce((${openCases}), 0) as case_count from teams t
    left join groups g on g.id = t.group_id where t.company_id = ${companyId} and t.team_type = 'dealer'
    order by t.name, t.id`;
}

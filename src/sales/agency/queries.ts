/** Reads for agency users: the leads that wait for them, and the dealers. */
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { list, object } from "../../core/json.ts";
import type { Context } from "../../db/context.ts";
import { largePageRead } from "../../lists/large_pages.ts";
import { countOf, createdWithin, pageOf, type Sort, totalOf } from "../../lists/pages.ts";
import { agencyScope, inScope, type Scope } from "../../db/scope.ts";
import { indexed, joined, type Sql, sql } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import { presentTeam } from "../../identity/teams/present.ts";
import { listTeams, parseTeam, readTeams, teamObject, teamsByIds } from "../../identity/teams/queries.ts";
import type { Statement } from "../../platform/database/database.ts";
import { awaitsAgency, type Status } from "../leads/lifecycle.ts";
import { checkAgency } from "../leads/access.ts";
import { presentLead } from "../leads/present.ts";
import { leadById, leadOf } from "../leads/queries.ts";
import { leadOfRow, leadSource } from "../leads/record.ts";
import { leadSorts } from "../leads/schema.ts";
import { type DealerListQuery, dealerSorts, type TeamWaitingQuery } from "./schema.ts";

/**
 * Lists the leads of a status that belong to the caller's agency teams or to none; for admins, all of the
 * company.
 */
export async function listWaiting(
  ctx: Context,
  status: Status,
  query: TeamWaitingQuery,
  url: string,
) {
  const paging = pagingOf(query, leadSorts, "-updated_at");
  const scope = agencyScope(ctx.caller);
  const others = conditionsOf(query, paging.sort);
  const conditions = [
    // Few leads match. Without `unlikely` SQLite may read all leads of the company in the order of the list.
    sql`${awaitsAgency(sql`leads.status`)} and unlikely(leads.status = ${status})`,
    ...others,
    sql`leads.hidden = 0 and (leads.expires_at is null or leads.expires_at > ${ctx.at})`,
  ];
  const rowsAndCount = others.length > 0 ? [countOf(leadSource, scope, conditions)] : [
    totalOf("leads", scope, [status]),
    expiredUnmarked(ctx, scope, status),
  ];
  const [rows, count, expired] = await largePageRead(ctx, paging)([
    pageOf(leadSource, scope, paging, conditions),
    ...rowsAndCount,
  ]);
  const total = Number(count!.rows[0]!.n) - Number(expired?.rows[0]?.n ?? 0);
  return page(
    { url, origin: ctx.origin },
    paging,
    rows!.rows,
    total,
    (row) => presentLead(leadOfRow(row), ctx.now, ctx.fields.seen),
  );
}

/** Lists the dealers of the company. */
export async function listDealers(ctx: Context, query: DealerListQuery, url: string) {
  const paging = pagingOf(query, dealerSorts, "-created_at");
  const groups = query.group_id === undefined ? undefined : [query.group_id];
  const { rows, total } = await listTeams(ctx, paging, { groups, dealers: true });
  return page(
    { url, origin: ctx.origin },
    paging,
    rows,
    total,
    (row) => presentTeam(parseTeam(row.team), ctx.now, ctx.fields.seen),
  );
}

/** Throws 404 for a team that is not a dealer. */
export async function getDealer(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([teamsByIds(ctx.caller.companyId, [id])]);
  const [team] = readTeams(found!);
  if (!team || team.team_type !== "dealer") throw notFound();
  return ok(presentTeam(team, ctx.now, ctx.fields.seen));
}

/** Lists the dealers that the caller may assign the lead to, by name, each with its number of open cases. */
export async function listAssignableTeams(ctx: Context, leadId: string) {
  const { companyId } = ctx.caller;
  const [found, teams] = await ctx.deps.db.read([leadById(companyId, leadId), dealersWithCases(companyId)]);
  checkAgency(ctx.caller, leadOf(ctx, found!));
  return ok(object({
    data: list(
      teams!.rows.map(({ team, case_count }) =>
        presentTeam(parseTeam(team), ctx.now, ctx.fields.seen, { case_count: Number(case_count) })
      ),
    ),
  }));
}

function conditionsOf(query: TeamWaitingQuery, sort: Sort): Sql[] {
  const { team_id, lead_type_id, start_date, end_date } = query;
  return [
    // A team has few such leads: read them by team and sort.
    ...(team_id === undefined ? [] : [indexed("in company", sql`leads.team_id = ${team_id}`)]),
    ...(lead_type_id === undefined ? [] : [sql`leads.lead_type_id = ${lead_type_id}`]),
    ...createdWithin("leads", { start_at: start_date, end_at: end_date }, sort),
  ];
}

/** Counts the expired leads that the job has not hidden yet: the counters still include them. */
function expiredUnmarked(ctx: Context, scope: Scope, status: Status): Statement {
  const terms = [
    inScope(scope, "leads", "alone"),
    sql`leads.hidden = 0 and leads.expires_at <= ${ctx.at} and +leads.status = ${status}`,
  ];
  return sql`select count(*) as n from leads where ${joined(terms, " and ")}`;
}

/** Reads the dealers with the counters of their open cases. */
function dealersWithCases(companyId: number): Statement {
  const openCases = sql`select c.n from totals c where c.company_id = t.company_id and c.kind = 'cases'
    and c.team_id = t.id and c.status = 'open' and c.agency_team_id = 0`;
  return sql`select ${teamObject} as team, coalesce((${openCases}), 0) as case_count from teams t
    left join groups g on g.id = t.group_id where t.company_id = ${companyId} and t.team_type = 'dealer'
    order by t.name, t.id`;
}

/** Lists of leads: by query parameters, and by a filter. */
import { comparedText } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { caseFoldSql } from "../../db/case_fold.ts";
import { checkedScope, leadScope, type Scope } from "../../db/scope.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { compileFilter } from "../../filters/compile.ts";
import { type Node, parseFilter } from "../../filters/parse.ts";
import {
  columnBetween,
  columnIn,
  columnIs,
  type ListCondition,
  onColumn,
  tested,
} from "../../lists/conditions.ts";
import { indexesOf } from "../../lists/indexes.ts";
import { type List, readList } from "../../lists/list.ts";
import { bothOf } from "../../lists/selection.ts";
import { totalOf } from "../../lists/totals.ts";
import { page, pagingOf } from "../../http/lists.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Statement } from "../../platform/database/database.ts";
import { leadCatalogue, leadIndexes, liveLeads } from "./filter_fields.ts";
import { awaitsAgency } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { leadColumns, leadOfRow } from "./record.ts";
import { type LeadFilterQuery, type LeadListQuery, leadSorts } from "./schema.ts";
import { leads } from "./table.ts";

const leadList: List = {
  table: "leads",
  alias: "leads",
  columns: leadColumns,
  sorts: leadSorts,
  order: "-created_at",
  indexes: leadIndexes,
};

/** The leads that wait for the agency, which have indexes of their own. */
export const waitingList: List = {
  ...leadList,
  order: "-updated_at",
  indexes: indexesOf(leads, { column: "status", condition: awaitsAgency(identifier("status")).sql }),
};

/** A page of the leads that the caller sees, and their number. */
export async function listLeads(ctx: Context, query: LeadListQuery, url: string) {
  return await listed(ctx, query, url, []);
}

/**
 * Lists the leads that match a filter, like `listLeads`. Includes deleted leads if the filter names
 * `lead.deleted_at`. For admins.
 */
export async function filterLeads(
  ctx: Context,
  query: LeadFilterQuery,
  filter: unknown,
  url: string,
) {
  requireReach(ctx.caller, "leads.filter");
  const { nodes } = parseFilter(filter, leadCatalogue(ctx), ctx.now);
  return await listed(ctx, query, url, nodes);
}

async function listed(
  ctx: Context,
  query: LeadListQuery,
  url: string,
  filter: readonly Node[],
) {
  const paging = pagingOf(query, leadList);
  const { scope, teams } = ofTeams(leadScope(ctx.caller), query.teams);
  const { status } = query;
  const { rows, total } = await readList(ctx, leadList, {
    scope,
    paging,
    standing: [
      ...(status === undefined ? [] : [columnIs("status", status, 0.2)]),
      tested((own) => liveLeads(own, ctx.at, filter.some(reveals)), 1),
    ],
    selection: bothOf(
      compileFilter(filter, {
        root: leadCatalogue(ctx).root,
        companyId: ctx.caller.companyId,
        now: ctx.at,
      }),
      { conditions: conditionsOf(ctx, { ...query, teams }), paths: () => [] },
    ),
    totals: liveTotals(scope, status, ctx.at),
    isAside: filter.length > 0,
  });
  return page(
    { url, ctx },
    paging,
    rows,
    total,
    (row) => presentLead(leadOfRow(row), ctx.now, ctx.fields.seen),
  );
}

/** The conditions of the query except the status. */
function conditionsOf(ctx: Context, query: LeadListQuery): ListCondition[] {
  const { lead_types, lead_sources, users, teams, groups, start_at: from, end_at: until } = query;
  return [
    ...(lead_types ? [columnIn("lead_type_id", lead_types, 0.1)] : []),
    ...(users ? [columnIn("user_id", users)] : []),
    ...(lead_sources ? ofSources(lead_sources) : []),
    ...columnBetween("created_at", { from, until }, ctx.at),
    ...(teams ? [columnIn("team_id", teams, 0.02)] : []),
    ...(groups ? [ofGroups(groups)] : []),
  ];
}

/** The index finds the case-folded text; the comparison is exact. */
function ofSources(sources: readonly string[]): ListCondition[] {
  const among = (of: Sql, values: readonly string[]) =>
    sql`${of} in (select value from json_each(${JSON.stringify(values)}))`;
  const folded = sources.map((source) => comparedText(source));
  return [
    onColumn(
      (own) => caseFoldSql(own, "lead_source"),
      "equal",
      (of) => among(of, folded),
      Math.min(1, 0.05 * sources.length),
    ),
    tested((own) => among(sql`+${identifier(own, "lead_source")}`, sources), 1),
  ];
}

function ofGroups(groups: readonly number[]): ListCondition {
  const teams = sql`select t.id from teams t where t.group_id in (select value from json_each(${
    JSON.stringify(groups)
  }))`;
  return onColumn(
    (own) => identifier(own, "team_id"),
    "equal",
    (of) => sql`${of} in (${teams})`,
    Math.min(1, 0.1 * groups.length),
  );
}

/** Whether the filter asks for deleted leads. */
function reveals(node: Node): boolean {
  return node.kind === "condition" ? node.field.reveals === true : node.nodes.some(reveals);
}

/** The total of the counters, less the expired leads that the job has not hidden yet. */
export function liveTotals(scope: Scope, status: string | undefined, at: string): Statement[] {
  const ofStatus = status === undefined ? sql`` : sql` and +leads.status = ${status}`;
  return [
    totalOf("leads", scope, status === undefined ? null : [status]),
    // Uses the index by expiry.
    sql`select -count(*) as n from leads where ${checkedScope(scope, "leads")} and leads.hidden = 0
      and leads.expires_at <= ${at}${ofStatus}`,
  ];
}

/**
 * Makes the given teams the scope, so that the list reads only their leads and the counters have the total.
 * If the scope has several streams, the teams stay a condition.
 */
function ofTeams(
  scope: Scope,
  teams: number[] | undefined,
): { scope: Scope; teams: number[] | undefined } {
  const [only, ...more] = scope.streams ?? [];
  if (teams === undefined || more.length > 0) return { scope, teams };
  const values = [...new Set(teams)].filter((team) => !only || only.values.includes(team));
  return { scope: { ...scope, streams: [{ column: "team_id", values }] }, teams: undefined };
}

/** Lists of leads: by query parameters, and by a filter. */
import type { Caller } from "../../core/access.ts";
import { foldText } from "../../core/text.ts";
import type { Context } from "../../db/context.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { makeLeadScope, type Scope } from "../../db/scope.ts";
import { pickBriefFields } from "../../fields/field_sets.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { compileFilter } from "../../filters/compile.ts";
import { type Node, parseFilter } from "../../filters/parse.ts";
import {
  columnBetween,
  columnIn,
  columnIs,
  type ListCondition,
  makeTestCondition,
  onColumn,
} from "../../lists/conditions.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { type List, readList } from "../../lists/list.ts";
import { searchSelection } from "../../lists/search.ts";
import { intersectSelections, type Selection, unfiltered } from "../../lists/selection.ts";
import { selectTotal } from "../../lists/totals.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { requireReach } from "../../identity/permissions.ts";
import { limitToGroups, limitToTeams } from "../../identity/teams/list_conditions.ts";
import type { Row } from "../../platform/database/database.ts";
import { readLeadCounts, selectLeadCounters, selectLeadCounts, sumCounts } from "./counts.ts";
import { isLiveLead, leadIndexes, makeLeadCatalogue } from "./filter_fields.ts";
import { awaitsAgency, type LeadStatus } from "./lifecycle.ts";
import { presentBriefLead, presentLead } from "./present.ts";
import { briefLeadColumns, leadColumns, readLeadRow } from "./parts.ts";
import { type LeadFilterQuery, type LeadListQuery, leadSorts, waitingSorts } from "./list_schema.ts";
import { leads } from "./record.ts";

/** How a query asks for its rows. */
type Shown = Pick<LeadListQuery, "view">;

export const leadList: List = {
  table: "leads",
  alias: "leads",
  columns: leadColumns,
  sorts: leadSorts,
  order: "-created_at",
  indexes: leadIndexes,
};

const briefList: List = { ...leadList, columns: briefLeadColumns };

/** The leads that wait for the agency, which have indexes of their own. */
const waitingList: List = {
  ...leadList,
  sorts: waitingSorts,
  order: "-updated_at",
  indexes: listIndexes(leads, { column: "status", condition: awaitsAgency(identifier("status")).sql }),
};

/** The list of the leads of a status that the agency asks for. Called ones are in no index of those that wait. */
export function chooseWaitingList({ view }: Shown, status: LeadStatus): List {
  const list = status === "called" ? { ...waitingList, indexes: leadIndexes } : waitingList;
  return view === "summary" ? { ...list, columns: briefLeadColumns } : list;
}

/** A page of the leads that the caller sees, and their number in all and by status. */
export async function listLeads(ctx: Context, query: LeadListQuery, url: string) {
  return await readPage(ctx, query, url, []);
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
  const { nodes } = parseFilter(filter, makeLeadCatalogue(ctx), ctx.now);
  return await readPage(ctx, query, url, nodes);
}

async function readPage(
  ctx: Context,
  query: LeadListQuery,
  url: string,
  filter: readonly Node[],
) {
  const list = query.view === "summary" ? briefList : leadList;
  const paging = parsePaging(query, list);
  const { scope, teams } = narrowToTeams(chooseScope(ctx.caller, query.show), query.teams);
  const isLive = makeTestCondition((own) => isLiveLead(own, ctx.at, filter.some(revealsDeleted)), 1);
  const selection = intersectSelections(
    compileFilter(filter, {
      root: makeLeadCatalogue(ctx).root,
      companyId: ctx.caller.companyId,
      now: ctx.at,
    }),
    intersectSelections(
      { conditions: makeConditions(ctx, { ...query, teams }), paths: () => [] },
      searchSelection("leads_search", `c${ctx.caller.companyId}z`, query.search),
    ),
  );
  const isNarrowed = selection.conditions.length > 0;
  const counts = isNarrowed
    ? [selectLeadCounts(scope, { ...selection, conditions: [...selection.conditions, isLive] })]
    : selectLeadCounters(scope, ctx.at);
  const { one, several } = makeStatusConditions(ctx.caller.companyId, query.status);
  const { rows, extraResults } = await readList(ctx, list, {
    scope,
    paging,
    fixedConditions: [...one, isLive],
    selection: intersectSelections(selection, several),
    totals: [],
    extraReads: counts,
    isThreaded: filter.length > 0 || several !== unfiltered,
  });
  const found = readLeadCounts(extraResults);
  const total = query.status ? sumCounts(new Set(query.status), found) : found.all;
  const present = choosePresenter(ctx, query);
  return page({ url, ctx }, paging, rows, total, present, { statuses: found });
}

/** Returns the presenter of the rows that a query asks for. */
export function choosePresenter(ctx: Context, { view }: Shown) {
  const { seen } = ctx.fields;
  if (view !== "summary") return (row: Row) => presentLead(readLeadRow(row), ctx.now, seen);
  const fields = pickBriefFields(seen);
  return (row: Row) => presentBriefLead(readLeadRow(row), fields);
}

/** `mine` is a condition; `team`: leads of the caller's teams; else all that the caller sees. */
function chooseScope(caller: Caller, show: LeadListQuery["show"]): Scope {
  if (show !== "team") return makeLeadScope(caller);
  return { companyId: caller.companyId, streams: [{ column: "team_id", values: caller.teamIds }] };
}

/**
 * Returns the conditions of the statuses: an index has the leads of one in the order of the list. Of several, the
 * counters say whether they are so few that they are sorted; more are found in the order of the list.
 */
function makeStatusConditions(companyId: number, asked: readonly LeadStatus[] | undefined) {
  const [first, ...others] = new Set(asked);
  if (first === undefined) return { one: [], several: unfiltered };
  if (others.length === 0) return { one: [columnIs("status", first, part)], several: unfiltered };
  return { one: [], several: selectStatuses(companyId, [first, ...others]) };
}

/** The estimated share of the leads of some statuses. */
const part = 0.2;

function selectStatuses(companyId: number, asked: readonly LeadStatus[]): Selection {
  const list = JSON.stringify(asked);
  const condition = makeTestCondition(
    (own) => sql`+${identifier(own, "status")} in (select value from json_each(${list}))`,
    part,
  );
  return {
    conditions: [condition],
    paths: ({ streams }) => [{
      rowIds:
        sql`select c.rowid as row from json_each(${list}) s cross join leads c indexed by leads_by_status
        where c.company_id = ${companyId} and c.status = s.value`,
      isDistinct: true,
      covers: [condition],
      inScope: streams === null,
      size: sql`(${selectTotal("leads", { companyId, streams: null }, asked)})`,
      read: part,
      found: part,
    }],
  };
}

/** The conditions of the query except the status. */
function makeConditions(ctx: Context, query: LeadListQuery): ListCondition[] {
  const { lead_types, lead_sources, users, teams, groups, start_at: from, end_at: until } = query;
  return [
    ...(query.show === "mine" ? [columnIs("user_id", ctx.caller.userId)] : []),
    ...(lead_types ? [columnIn("lead_type_id", lead_types, 0.1)] : []),
    ...(users ? [columnIn("user_id", users)] : []),
    ...(lead_sources ? limitToSources(lead_sources) : []),
    ...columnBetween("created_at", { from, until }, ctx.at),
    ...(teams ? [limitToTeams(teams)] : []),
    ...(groups ? [limitToGroups(groups)] : []),
  ];
}

/** Limits a list to leads of these sources. The index finds the case-folded text; the comparison is exact. */
export function limitToSources(sources: readonly string[]): ListCondition[] {
  const among = (of: Sql, values: readonly string[]) =>
    sql`${of} in (select value from json_each(${JSON.stringify(values)}))`;
  const folded = sources.map((source) => foldText(source));
  return [
    onColumn(
      (own) => composeCaseFold(own, "lead_source"),
      "equal",
      (of) => among(of, folded),
      Math.min(1, 0.05 * sources.length),
    ),
    makeTestCondition((own) => among(sql`+${identifier(own, "lead_source")}`, sources), 1),
  ];
}

/** Whether the filter asks for deleted leads. */
function revealsDeleted(node: Node): boolean {
  return node.kind === "condition" ? node.field.reveals === true : node.nodes.some(revealsDeleted);
}

/**
 * Makes the given teams the scope, so that the list reads only their leads and the counters have the total.
 * If the scope has several streams, the teams stay a condition.
 */
function narrowToTeams(
  scope: Scope,
  teams: number[] | undefined,
): { scope: Scope; teams: number[] | undefined } {
  const [only, ...more] = scope.streams ?? [];
  if (teams === undefined || more.length > 0) return { scope, teams };
  const values = [...new Set(teams)].filter((team) => !only || only.values.includes(team));
  return { scope: { ...scope, streams: [{ column: "team_id", values }] }, teams: undefined };
}

/** Lists of leads: by query parameters, and by a filter. */
import type { Answer } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { largePageRead } from "../../lists/large_pages.ts";
import {
  countedPage,
  countOf,
  createdWithin,
  pageOf,
  type Paging,
  readCounted,
  type Sort,
  totalOf,
} from "../../lists/pages.ts";
import { type AccessPath, maxSortedRows } from "../../lists/access_path.ts";
import { inScope, leadScope, type Scope } from "../../db/scope.ts";
import { joined, raw, rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import type { FilterField } from "../../filters/fields.ts";
import { type Condition, type Node, parseFilter } from "../../filters/parse.ts";
import { aside, type Compiled, compileFilter, filteredBy } from "../../filters/compile.ts";
import { page, pagingOf } from "../../http/lists.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { leadCatalogue, liveLeads } from "./filter_fields.ts";
import { presentLead } from "./present.ts";
import { leadOfRow, leadSource } from "./record.ts";
import { type LeadFilterQuery, type LeadListQuery, leadSorts } from "./schema.ts";

/** One page of the leads that the caller sees, and their number. */
export async function listLeads(ctx: Context, query: LeadListQuery, url: string): Promise<Answer> {
  return await listed(ctx, query, url, []);
}

/** The same of those that a filter selects, deleted ones too where it names their deletion. For admins. */
export async function filterLeads(
  ctx: Context,
  query: LeadFilterQuery,
  filter: unknown,
  url: string,
): Promise<Answer> {
  requireReach(ctx.caller, "leads.filter");
  const { nodes } = parseFilter(filter, leadCatalogue(ctx), ctx.now);
  return await listed(ctx, query, url, nodes);
}

async function listed(
  ctx: Context,
  query: LeadListQuery,
  url: string,
  filter: readonly Node[],
): Promise<Answer> {
  const paging = pagingOf(query, leadSorts, "-created_at");
  const { scope, teams } = narrowed(leadScope(ctx.caller), query.teams);
  const selection = selectionOf(ctx, { ...query, teams }, filter, paging.sort);
  const { rows, total } = selection.counted
    ? await readCounted(
      selection.compiled.effort === null ? largePageRead(ctx, paging) : aside(ctx, selection.compiled),
      paging,
      countedPage(leadSource, scope, paging, selection.conditions, selection.finding),
      countOf(leadSource, scope, selection.conditions, selection.finding),
    )
    : await readUnfiltered(ctx, scope, paging, selection.conditions, query.status);
  return page(
    { url, origin: ctx.origin },
    paging,
    rows,
    total,
    (row) => presentLead(leadOfRow(row), ctx.now, ctx.fields.seen),
  );
}

async function readUnfiltered(
  ctx: Context,
  scope: Scope,
  paging: Paging,
  conditions: readonly Sql[],
  status: string | undefined,
): Promise<{ rows: Row[]; total: number }> {
  const [rows, ...counts] = await largePageRead(ctx, paging)([
    pageOf(leadSource, scope, paging, conditions),
    ...countersOf(ctx, scope, status),
  ]);
  const [count, expired] = counts.map((result) => Number(result.rows[0]!.n));
  return { rows: rows!.rows, total: count! - expired! };
}

/** What of the scope a list shows. */
interface Selection {
  readonly conditions: readonly Sql[];
  /** Null: the list is read in its order. */
  readonly finding: AccessPath | null;
  /** Whether the counters do not know the total. */
  readonly counted: boolean;
  readonly compiled: Compiled;
}

function selectionOf(
  ctx: Context,
  query: LeadListQuery,
  filter: readonly Node[],
  sort: Sort,
): Selection {
  const catalogue = leadCatalogue(ctx);
  const nodes = [...filter, ...nodesOf(query, (name) => catalogue.field(`lead.${name}`)!)];
  const compiled = compileFilter(nodes, catalogue, leadSource.alias, ctx.caller.companyId);
  const within = createdWithin(leadSource.alias, query, sort);
  const teams = teamsOf(ctx.caller.companyId, query);
  const found = compiled.finding !== null || teams !== null;
  const always = [
    ...within,
    ...(query.status === undefined ? [] : [sql`${rawSql(found ? "+" : "")}leads.status = ${query.status}`]),
    liveLeads(leadSource.alias, ctx.at, filter.some(reveals)),
  ];
  const { conditions, finding } = filteredBy(compiled, [...always, ...(teams ? [teams.test] : [])]);
  return {
    conditions,
    finding: finding ?? (teams && { ...teams.finding, conditions: [...always, ...teams.finding.conditions] }),
    counted: nodes.length > 0 || within.length > 0 || teams !== null,
    compiled,
  };
}

/** Whether it asks for deleted leads, too. */
function reveals(node: Node): boolean {
  return node.kind === "condition" ? node.field.reveals === true : node.nodes.some(reveals);
}

/** Types, sources and users of a query as conditions of a filter. */
function nodesOf(query: LeadListQuery, field: (name: string) => FilterField): Node[] {
  const { lead_types, lead_sources, users } = query;
  const among = (of: FilterField, value: readonly (string | number)[]): Condition => (
    { kind: "condition", field: of, operator: "in", value }
  );
  const source = field("lead_source");
  return [
    ...(lead_types ? [among(field("lead_type_id"), lead_types)] : []),
    ...(users ? [among({ ...source, ...ofUser }, users)] : []),
    // Found without regard to case, and held against the letters as they are.
    ...(lead_sources
      ? [
        among(source, lead_sources.map((each) => each.toLowerCase())),
        among({ ...source, ...exact }, lead_sources),
      ]
      : []),
  ];
}

const ofUser = {
  type: "integer",
  value: { kind: "column", sql: (own: string) => sql`${rawSql(own)}.user_id`, indexed: "in company" },
} as const;
const exact = {
  type: "text",
  value: { kind: "column", sql: (own: string) => sql`${rawSql(own)}.lead_source`, indexed: null },
} as const;

/** Leads of teams, and of the teams of groups; null: of all. */
function teamsOf(
  companyId: number,
  { teams, groups }: LeadListQuery,
): { test: Sql; finding: AccessPath } | null {
  const lists: Sql[] = [];
  if (teams) lists.push(sql`select value from json_each(${JSON.stringify(teams)})`);
  if (groups) {
    const ofGroups = "select t.id from teams t where t.group_id in (select value from json_each(?))";
    lists.push(raw(ofGroups, JSON.stringify(groups)));
  }
  if (lists.length === 0) return null;
  const among = (team: string) => joined(lists.map((list) => sql`${rawSql(team)} in (${list})`), " and ");
  const first = sql`select 1 from leads p0 where p0.company_id = ${sql`${companyId}`} and ${
    among("p0.team_id")
  } limit ${rawSql(String(maxSortedRows + 1))}`;
  return {
    test: among("+leads.team_id"),
    finding: {
      index: "in company",
      conditions: [among("leads.team_id")],
      isSelective: sql`(select count(*) from (${first})) <= ${rawSql(String(maxSortedRows))}`,
      count: null,
    },
  };
}

/** The total, and what the counters do not know yet: leads that have expired and the job has not marked. */
function countersOf(ctx: Context, scope: Scope, status: string | undefined): Statement[] {
  // Found by expiry.
  const unmarked = [
    inScope(scope, "leads", "alone"),
    sql`leads.hidden = 0 and leads.expires_at <= ${ctx.at}`,
    ...(status === undefined ? [] : [sql`+leads.status = ${status}`]),
  ];
  const { sql: text, args } = joined(unmarked, " and ");
  return [
    totalOf("leads", scope, status === undefined ? null : [status]),
    statement(`select count(*) as n from leads where ${text}`, ...args),
  ];
}

/**
 * The scope of the teams asked for, so that the list reads them alone and the counters know their total.
 * Where the scope is not by teams only, the filter on teams is left as a condition.
 */
function narrowed(
  scope: Scope,
  teams: number[] | undefined,
): { scope: Scope; teams: number[] | undefined } {
  const [only, ...more] = scope.streams ?? [];
  if (teams === undefined || more.length > 0) return { scope, teams };
  const values = [...new Set(teams)].filter((team) => !only || only.values.includes(team));
  return { scope: { ...scope, streams: [{ column: "team_id", values }] }, teams: undefined };
}

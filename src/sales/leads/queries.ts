/** Reads of leads. A lead past its expiry is nowhere. */
import { seesLead } from "../../core/access.ts";
import { type Answer, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { countOf, createdWithin, pageOf, type Sort, totalOf } from "../../db/pages.ts";
import { inScope, leadScope, type Scope } from "../../db/scope.ts";
import { raw, type Sql, statement } from "../../db/statements.ts";
import { page, pagingOf } from "../../http/lists.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { presentLead } from "./present.ts";
import { isExpired, type Lead, leadOfRow, leadSource } from "./record.ts";
import { type LeadListQuery, leadSorts } from "./schema.ts";

export async function getLead(ctx: Context, id: string): Promise<Answer> {
  const [found] = await ctx.deps.db.read([leadById(ctx.caller.companyId, id)]);
  return ok(presentLead(leadOf(ctx, found!), ctx.now, ctx.fields.seen));
}

export async function listLeads(ctx: Context, query: LeadListQuery, url: string): Promise<Answer> {
  const paging = pagingOf(query, leadSorts, "-created_at");
  const { scope, teams } = narrowed(leadScope(ctx.caller), query.teams);
  const { status } = query;
  const ofStatus = status === undefined ? [] : [raw("leads.status = ?", status)];
  const others = conditionsOf({ ...query, teams }, paging.sort);
  const live = raw("leads.hidden = 0 and (leads.expires_at is null or leads.expires_at > ?)", ctx.at);
  const conditions = [...ofStatus, ...others, live];
  // The counters know of a lead that it has expired only when the job has marked it. Found by expiry.
  const unmarked = [
    inScope(scope, "leads", "alone"),
    raw("leads.hidden = 0 and leads.expires_at <= ?", ctx.at),
    ...(status === undefined ? [] : [raw("+leads.status = ?", status)]),
  ];
  const [rows, count, expired] = await ctx.deps.db.read(
    others.length > 0
      ? [pageOf(leadSource, scope, paging, conditions), countOf(leadSource, scope, conditions)]
      : [
        pageOf(leadSource, scope, paging, conditions),
        totalOf("leads", scope, status === undefined ? null : [status]),
        statement(
          `select count(*) as n from leads where ${unmarked.map(({ text }) => text).join(" and ")}`,
          ...unmarked.flatMap(({ args }) => args),
        ),
      ],
  );
  const total = Number(count!.rows[0]!.n) - Number(expired?.rows[0]?.n ?? 0);
  const request = { url, origin: ctx.origin };
  return page(
    request,
    paging,
    rows!.rows,
    total,
    (row) => presentLead(leadOfRow(row), ctx.now, ctx.fields.seen),
  );
}

/** The statement that `leadOf` reads. */
export function leadById(companyId: number, id: string): Statement {
  return statement(
    `select ${leadSource.columns} from leads where leads.id = ? and leads.company_id = ?`,
    id,
    companyId,
  );
}

/** The lead; 404 when it is not there, has expired, or the caller does not see it. */
export function leadOf(ctx: Context, result: Result): Lead {
  const row = result.rows[0];
  if (!row) throw notFound();
  const lead = leadOfRow(row);
  if (isExpired(lead, ctx.at) || !seesLead(ctx.caller, lead.row)) throw notFound();
  return lead;
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

/** Types, sources, users and groups are looked for among the leads that the other conditions leave. */
function conditionsOf(query: LeadListQuery, sort: Sort): Sql[] {
  const conditions: Sql[] = [];
  const among = (condition: string, values: readonly (string | number)[] | undefined) => {
    if (values) {
      conditions.push(
        raw(condition.replace("…", "(select value from json_each(?))"), JSON.stringify(values)),
      );
    }
  };
  among("leads.lead_type_id in …", query.lead_types);
  among("leads.lead_source in …", query.lead_sources);
  among("leads.user_id in …", query.users);
  among("leads.team_id in …", query.teams);
  among("leads.team_id in (select g.id from teams g where g.group_id in …)", query.groups);
  conditions.push(...createdWithin("leads", query, sort));
  return conditions;
}

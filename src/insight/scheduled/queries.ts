/** Reads of scheduled reports: for their maker, their recipients, and admins. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { selectRightsJson } from "../../db/caller_guard.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectTotal } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import type { FullScheduleFacts } from "./facts.ts";
import { composeFilterNames } from "./filters.ts";
import { presentSchedule } from "./present.ts";
import { type ScheduledReportListQuery, scheduledReports, scheduleSorts } from "./record.ts";

/** SQL: the select list of a summary over the alias `o`. */
const summary = sql`${selectColumns(scheduledReports, "o")},
  (select json_object('name', s.name, 'user_id', s.user_id, 'private', s.private, 'team_id', s.team_id,
    'group_id', s.group_id, 'kept_for', s.kept_for) from indicator_sets s where s.id = o.indicator_set_id) as indicator_set,
  (select count(*) from scheduled_report_recipients r where r.report_id = o.id) as recipients_count,
  ${selectRightsJson(sql`o.user_id`)} as maker_rights`;

export const scheduledReportList: List = {
  table: "scheduled_reports",
  alias: "o",
  columns: summary,
  sorts: scheduleSorts,
  order: "-created_at",
  isCounted: true,
};

/** A page of the scheduled reports that the caller sees, or of those of a set, and their number. */
export function listScheduledReports(
  ctx: Context,
  { indicator_set_id }: ScheduledReportListQuery,
  paging: Paging,
): Promise<ListPage> {
  const { caller } = ctx;
  const scope = makeCompanyScope(caller);
  if (isAdmin(caller) && indicator_set_id === undefined) {
    return readList(ctx, scheduledReportList, {
      scope,
      paging,
      totals: [selectTotal("scheduled_reports", scope)],
    });
  }
  const ids = selectSeenIds(caller, indicator_set_id);
  return readList(ctx, scheduledReportList, {
    scope,
    paging,
    ids,
    totals: [sql`select count(*) as n from (${ids})`],
  });
}

/**
 * SQL: the ids that the caller sees. Begins with the recipients, because the planner would otherwise read
 * each report of the company.
 */
function selectSeenIds(caller: Caller, set: string | undefined): Sql {
  const { companyId, userId } = caller;
  const ofSet = set === undefined ? sql`` : sql`and s.indicator_set_id = ${set}`;
  if (isAdmin(caller)) {
    return sql`select s.id from scheduled_reports s where s.company_id = ${companyId} ${ofSet}`;
  }
  return sql`select s.id from scheduled_reports s where s.company_id = ${companyId} and s.user_id = ${userId} ${ofSet}
    union select s.id from scheduled_report_recipients r cross join scheduled_reports s on s.id = r.report_id
      where r.user_id = ${userId} and +s.company_id = ${companyId} ${ofSet}`;
}

/** Reads a scheduled report for `requireSchedule`. */
export function selectScheduleById({ companyId, userId }: Caller, id: string): Statement {
  return sql`select ${summary}, (select json_group_array(json_object('id', u.id,
      'name', trim(u.first_name || ' ' || u.last_name)) order by u.id) from scheduled_report_recipients r
      join users u on u.id = r.user_id where r.report_id = o.id) as recipients,
    ${composeFilterNames(sql`o.company_id`, sql`o.filters`)} as names, exists (select 1
      from scheduled_report_recipients r
      where r.report_id = o.id and r.user_id = ${userId}) as is_recipient
    from scheduled_reports o where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Returns the scheduled report; 404 when the caller does not see it. */
export function requireSchedule(caller: Caller, found: Result): FullScheduleFacts & Row {
  const row = found.rows[0] as (FullScheduleFacts & Row) | undefined;
  if (!row || !(row.user_id === caller.userId || row.is_recipient === 1 || isAdmin(caller))) throw notFound();
  return row;
}

export async function getScheduledReport(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectScheduleById(ctx.caller, id)]);
  return ok(presentSchedule(ctx.caller, requireSchedule(ctx.caller, found!)));
}

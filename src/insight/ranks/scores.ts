/** Scores of ranks over a time, from the facts, and from the cases that were created in it. */
import { factKinds } from "../../core/fact_kinds.ts";
import { formatTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { findIndicator } from "../indicators/catalogue.ts";
import { rounding } from "../reports/rounding.ts";
import { assignPlaces, type Place } from "./places.ts";

/** Epoch seconds: `start` ≤ t < `end`. */
export interface ScoredTime {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the scores of all users who compete, including those without any. Only the rank's own rule reads
 * facts or cases, because its condition is on the one row of the rank, which is read first. A case counts for
 * its present user. For a deleted team those compete who belonged to it then.
 */
export function selectScores(companyId: number, rankId: string, { start, end }: ScoredTime): Statement {
  const within =
    sql`f.company_id = ${companyId} and f.at >= ${start} and f.at < ${end} and f.user_id is not null`;
  return sql`with rank as materialized (
      select r.rule, r.team_id, iif(r.kept_for is null, null, r.members) as members,
        r.relations_path_id, c.product_mode, c.currency, r.milestone_id, t.sort_order from ranks r
      join companies c on c.id = r.company_id left join activity_types t on t.id = r.milestone_id
      where r.id = ${rankId} and r.company_id = ${companyId}),
    -- The milestone and higher ones; a case that was lost has not reached the higher ones by that.
    -- The stored highest milestone of a case can be older than an order of the path.
    reaching (id) as materialized (select t.id from rank r cross join activity_types t
      where t.relations_path_id = r.relations_path_id and t.is_milestone = 1 and t.sort_order >= r.sort_order
        and (t.set_status is not 'declined' or t.id = r.milestone_id)),
    figures (user_id, score) as (
      select f.user_id, count(*) from rank r cross join facts f
        where r.rule = 'emails_sent' and f.kind = ${factKinds.email_sent} and ${within} group by f.user_id
      union all
      select f.user_id, sum(iif(r.product_mode = 'simple', 1, ifnull(f.value, 0))) from rank r cross join facts f
        where r.rule = 'total_sales' and f.kind = ${factKinds.case_closed} and ${within} group by f.user_id
      union all
      -- User by user, each a range of the index: to group all cases by user takes twice as long.
      select u.id, (select 100 * avg(k.highest_milestone_id is not null and (k.highest_milestone_id in reaching
          or exists (select 1 from case_milestones m where m.case_id = k.id and m.activity_type_id in reaching)))
        from cases k where k.company_id = ${companyId} and k.relations_path_id = r.relations_path_id
        and k.user_id = u.id and k.created_at >= ${formatTimestamp(start * 1000)}
        and k.created_at < ${formatTimestamp(end * 1000)})
        from rank r cross join users u where r.rule = 'conversion_rate' and u.company_id = ${companyId})
    select u.id, u.first_name || ' ' || u.last_name as name, ifnull(s.score, 0) as score,
      iif(r.rule = 'total_sales' and r.product_mode <> 'simple', r.currency, null) as currency
    from rank r cross join users u left join figures s on s.user_id = u.id
    where u.company_id = ${companyId} and u.deleted_at is null and (r.team_id is null
      or exists (select 1 from team_members m where m.team_id = r.team_id and m.user_id = u.id)
      or exists (select 1 from json_each(r.members) m where m.value = u.id))`;
}

/** The places, by scores as reports show them: money has the decimals of its currency, a percentage two. */
export function readPlaces({ rows }: Result): Place[] {
  return assignPlaces(rows.map(({ id, name, score, currency }) => {
    // Money is rounded as the indicator of sales is, counts and percentages as that of success.
    const indicator = findIndicator(currency === null ? "cases.success_rate" : "cases.closed.value")!;
    const round = rounding(indicator, String(currency));
    return { score: round(Number(score))!, user: { id: Number(id), name: String(name) } };
  }));
}

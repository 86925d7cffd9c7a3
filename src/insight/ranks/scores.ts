/** Scores of ranks, from the facts of a time. */
import { factKinds } from "../../core/fact_kinds.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Score } from "./places.ts";

/** Epoch seconds: `start` ≤ t < `end`. */
export interface Time {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the scores of all users who compete, those without any too. Facts are read for the rank's own rule alone,
 * whose condition stands on the one row of the rank, before them.
 */
export function scoresOf(companyId: number, rankId: string, { start, end }: Time): Statement {
  const within =
    sql`f.company_id = ${companyId} and f.at >= ${start} and f.at < ${end} and f.user_id is not null`;
  return sql`with rank as materialized (
      select r.rule, r.team_id, r.relations_path_id, c.product_mode, t.sort_order from ranks r
      join companies c on c.id = r.company_id left join activity_types t on t.id = r.milestone_id
      where r.id = ${rankId} and r.company_id = ${companyId}),
    figures (user_id, score) as (
      select f.user_id, count(*) from rank r cross join facts f
        where r.rule = 'emails_sent' and f.kind = ${factKinds.email_sent} and ${within} group by f.user_id
      union all
      select f.user_id, sum(iif(r.product_mode = 'simple', 1, ifnull(f.value, 0))) from rank r cross join facts f
        where r.rule = 'total_sales' and f.kind = ${factKinds.case_closed} and ${within} group by f.user_id
      union all
      select f.user_id, avg(exists (select 1 from case_milestones m join activity_types t on t.id = m.activity_type_id
          where m.case_id = f.subject and t.relations_path_id = r.relations_path_id
          and t.sort_order >= r.sort_order)) * 100
        from rank r cross join facts f
        where r.rule = 'conversion_rate' and f.kind = ${factKinds.case_created} and ${within}
        and f.dim_id in (select d.id from fact_dims d
          where d.company_id = ${companyId} and d.relations_path_id = r.relations_path_id)
        and exists (select 1 from cases k where k.id = f.subject) group by f.user_id)
    select u.id, u.first_name || ' ' || u.last_name as name, ifnull(s.score, 0) as score
    from rank r cross join users u left join figures s on s.user_id = u.id
    where u.company_id = ${companyId} and u.deleted_at is null and (r.team_id is null
      or exists (select 1 from team_members m where m.team_id = r.team_id and m.user_id = u.id))`;
}

export function readScores({ rows }: Result): Score[] {
  return rows.map(({ id, name, score }) => ({
    score: Number(score),
    user: { id: Number(id), name: String(name) },
  }));
}

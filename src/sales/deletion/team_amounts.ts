/** Counts the records of a team with the counters in `totals`. */
import { type Sql, sql } from "../../db/statements.ts";
import type { TeamReassignment } from "../../identity/teams/deletion.ts";

export const openAmounts: TeamReassignment["open"] = (companyId, teams, at) => [
  {
    type: "cases",
    number: selectTotalWhere(companyId, "cases", sql`team_id in (${teams}) and status = 'open'`),
  },
  { type: "leads", number: openLeads(companyId, teams, at) },
];

export const listOwnedAmounts: TeamReassignment["countOwned"] = (companyId, teamId) => [
  ...["accounts", "contacts", "lead_types"].map((type) => ({
    type,
    number: selectTotalWhere(companyId, type, sql`team_id = ${teamId}`),
  })),
  {
    type: "relations_paths",
    number: selectTotalWhere(companyId, "relations_paths", sql`team_id = 0 and status = 't' || ${teamId}`),
  },
];

/** Counts the records of a kind in the company that match the condition. */
function selectTotalWhere(companyId: number, kind: string, which: Sql): Sql {
  return sql`(select coalesce(sum(n), 0) from totals where company_id = ${companyId} and kind = ${kind} and ${which})`;
}

/**
 * SQL: the number of leads that the teams have to accept, that escalated, or that they handle as an agency.
 * An accepted lead counts by its case. The counters still include expired leads that the job has not hidden
 * yet, so these are subtracted.
 */
function openLeads(companyId: number, teams: Sql, at: string): Sql {
  const which = sql`(team_id in (${teams}) and status in ('assigned', 'escalated', 'called')
    or agency_team_id in (${teams}) and status <> 'accepted')`;
  return sql`(${selectTotalWhere(companyId, "leads", which)} - (select count(*) from leads where hidden = 0
    and expires_at <= ${at} and +company_id = ${companyId} and ${which}))`;
}

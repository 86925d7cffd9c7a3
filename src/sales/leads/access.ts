/** Who may act on a lead. */
import { belongsToAgency, type Caller, isAdmin } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { sql } from "../../db/statements.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { LeadRecord } from "./parts.ts";

/** Throws 403 unless the caller is an agency user of the lead's agency team. */
export function checkAgency(caller: Caller, { row }: LeadRecord): void {
  if (belongsToAgency(caller, row.agency_team_id)) return;
  throw forbidden("Only users with the right agency in the lead's agency team may do this.");
}

/** Throws 403 unless the caller belongs to the lead's team or is an admin. The state rejects a lead without a team. */
export function checkTeam(caller: Caller, { row }: LeadRecord): void {
  if (row.team_id === null || isAdmin(caller) || caller.teamIds.includes(row.team_id)) return;
  throw forbidden("Only members of the lead's team and admins may do this.");
}

/** Rejects the batch when the user no longer belongs to the team. */
export function guardMember(userId: number, team: TeamFacts): Statement {
  return guardThat(
    "member",
    sql`exists (select 1 from team_members where user_id = ${userId} and team_id = ${team.id})`,
  );
}

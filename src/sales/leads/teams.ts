/** The teams that leads go to. */
import { sql } from "../../db/statements.ts";
import type { Caller } from "../../core/access.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";

/** A dealer team of the company, or a team of the caller. */
export function takesLeads(caller: Caller, team: TeamFacts): boolean {
  return team.team_type === "dealer" || (team.id !== null && caller.teamIds.includes(team.id));
}

/** Refuses the batch when the user has left the team meanwhile. */
export function guardMember(userId: number, team: TeamFacts): Statement {
  return guardThat(
    "member",
    sql`exists (select 1 from team_members where user_id = ${userId} and team_id = ${team.id})`,
  );
}

/** Ranks of deleted teams. */
import { sql } from "../../db/statements.ts";
import type { TeamPart } from "../../identity/teams/deletion.ts";

/** Adds the users who belong to the team to the members that its ranks remember. */
export const rememberMembers: TeamPart = {
  leaving: (companyId, teamId) => [
    sql`update ranks set members = (select json_group_array(id) from (
      select value as id from json_each(members) union select user_id from team_members where team_id = ${teamId}))
      where company_id = ${companyId} and team_id = ${teamId}`,
  ],
};

/** SQL about teams for the queries of other features. */
import { type Sql, sql } from "../../db/statements.ts";

/** SQL: whether the user of an id (SQL) belongs to the team of an id (SQL). */
export function isMember(userId: Sql, teamId: Sql): Sql {
  return sql`exists (select 1 from team_members where user_id = ${userId} and team_id = ${teamId})`;
}

/** SQL: the version of the team with the id; null without one. */
export function selectTeamVersion(id: number | null): Sql {
  return sql`(select version from teams where id = ${id})`;
}

/** Conditions of lists on the team of their records. */
import { identifier, sql } from "../../db/statements.ts";
import { columnIn, type ListCondition, onColumn } from "../../lists/conditions.ts";

/** Estimated shares of the records of one team, and of a group of teams. */
const [teamShare, groupShare] = [0.02, 0.1];

/** Limits a list to the records of the teams. */
export function limitToTeams(teams: readonly number[]): ListCondition {
  return columnIn("team_id", teams, teamShare);
}

/** Limits a list to the records of all teams of the groups. */
export function limitToGroups(groups: readonly number[]): ListCondition {
  const teams = sql`select t.id from teams t where t.group_id in (select value
    from json_each(${JSON.stringify(groups)}))`;
  return onColumn(
    (own) => identifier(own, "team_id"),
    "equal",
    (of) => sql`${of} in (${teams})`,
    Math.min(1, groupShare * groups.length),
  );
}

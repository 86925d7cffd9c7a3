/** Reads teams. All users of a company can read all its teams. */
import type { Context } from "../../db/context.ts";
import { columnIn, makeTestCondition } from "../../lists/conditions.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { searchSelection } from "../../lists/search.ts";
import { asList, composeRowMembers, identifier, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { GroupRow } from "../groups/record.ts";
import { groupObject } from "./group.ts";
import { type TeamRow, teams } from "./record.ts";

/** A team with its group. `id` is null until the batch assigns one. */
export interface TeamFacts extends Omit<TeamRow, "id"> {
  readonly id: number | null;
  readonly group: GroupRow | null;
}

/** SQL: the team `t` with its group `g` (a left join) as JSON text, for `parseTeam`. */
export const teamObject = composeTeamObject("t");

function composeTeamObject(alias: string): Sql {
  return sql`json_object(${composeRowMembers(teams, alias)}, 'group', ${groupObject})`;
}

/**
 * SQL: the team with the id as JSON text, for `parseTeam`; null if it does not exist. The id may be of a team `t`
 * of the query around it, so no `t` in here hides that.
 */
export function selectTeamJson(id: Sql): Sql {
  return sql`(select ${composeTeamObject("named_team")} from teams named_team
    left join groups g on g.id = named_team.group_id where named_team.id = ${id})`;
}

/** SQL: a user's teams as a JSON list, for `parseTeams`. */
export function selectTeamsOfUserJson(userId: Sql): Sql {
  return sql`(select json_group_array(json(${teamObject}) order by t.id) from team_members m
    join teams t on t.id = m.team_id left join groups g on g.id = t.group_id where m.user_id = ${userId})`;
}

/** SQL: the teams of the group `g` as a JSON list, for `parseTeams`. */
export const teamsOfGroupJson =
  sql`(select json_group_array(json(${teamObject}) order by t.id) from teams t where t.group_id = g.id)`;

export function parseTeam(json: unknown): TeamFacts {
  return JSON.parse(json as string) as TeamFacts;
}

export function parseTeams(json: unknown): TeamFacts[] {
  return JSON.parse(json as string) as TeamFacts[];
}

/** The teams of the company with these ids (a list, or SQL for a JSON list); read with `readTeams`. */
export function selectTeamsByIds(companyId: number, ids: readonly number[] | Sql): Statement {
  const list = asList(ids);
  return sql`select ${teamObject} as team from teams t left join groups g on g.id = t.group_id
    where t.company_id = ${companyId} and t.id in (select value from json_each(${list})) order by t.id`;
}

export function readTeams(result: Result): TeamFacts[] {
  return result.rows.map((row) => parseTeam(row.team));
}

export const teamList: List = {
  table: "teams",
  alias: "t",
  columns: sql`${teamObject} as team`,
  joins: sql`left join groups g on g.id = t.group_id`,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  indexes: listIndexes(teams),
  isCounted: true,
};

export interface TeamFilter {
  readonly search?: string | undefined;
  readonly groups?: readonly number[] | undefined;
  /** Only teams that take leads. */
  readonly dealers?: boolean;
}

export function listTeams(ctx: Context, paging: Paging, filter: TeamFilter): Promise<ListPage> {
  const scope = makeCompanyScope(ctx.caller);
  const words = searchSelection("teams_search", searchScope(scope.companyId), filter.search);
  const ofGroups = filter.groups ? [columnIn("group_id", filter.groups, 0.05)] : [];
  const selection = { conditions: [...ofGroups, ...words.conditions], paths: words.paths };
  // The same condition as in the indexes of dealers, so that SQLite uses them.
  const fixedConditions = filter.dealers
    ? [makeTestCondition((own) => sql`${identifier(own, "team_type")} = 'dealer'`)]
    : undefined;
  const list = fixedConditions ? { ...teamList, isCounted: false } : teamList;
  return readList(ctx, list, { scope, paging, fixedConditions, selection });
}

/** The prefix of a company's words in the search indexes. */
export function searchScope(companyId: number): string {
  return `c${companyId}z`;
}

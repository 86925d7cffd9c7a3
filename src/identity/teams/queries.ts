/** Reads teams. All users of a company can read all its teams. */
import type { Context } from "../../db/context.ts";
import { countOf, type ListSource, pageOf, type Paging, totalOf } from "../../lists/pages.ts";
import { companyScope } from "../../db/scope.ts";
import { searched } from "../../lists/search.ts";
import { asList, indexed, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type GroupFacts, groupObject } from "./group.ts";
import type { TeamRow } from "../tables/teams.ts";

/** A team with its group. `id` is null until the batch assigns one. */
export interface TeamFacts extends Omit<TeamRow, "id"> {
  readonly id: number | null;
  readonly group: GroupFacts | null;
}

/** SQL: the team `t` with its group `g` (a left join) as JSON text, for `parseTeam`. */
export const teamObject = sql`json_object('id', t.id, 'company_id', t.company_id, 'group_id', t.group_id,
  'name', t.name, 'address_1', t.address_1, 'address_2', t.address_2, 'zip_code', t.zip_code, 'city', t.city,
  'state', t.state, 'country', t.country, 'phone_number', t.phone_number, 'website', t.website, 'vat', t.vat,
  'timezone', t.timezone, 'locale', t.locale, 'team_type', t.team_type, 'use_social_lookup', t.use_social_lookup,
  'custom', t.custom, 'created_by', t.created_by, 'created_at', t.created_at, 'updated_at', t.updated_at,
  'version', t.version, 'group', ${groupObject})`;

/** SQL: the same for the team with the id; null without one. */
export function teamJson(id: Sql): Sql {
  return sql`(select ${teamObject} from teams t left join groups g on g.id = t.group_id where t.id = ${id})`;
}

/** SQL: a user's teams as a JSON list, for `parseTeams`. */
export function teamsOfUserJson(userId: Sql): Sql {
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
export function teamsByIds(companyId: number, ids: readonly number[] | Sql): Statement {
  const list = asList(ids);
  return sql`select ${teamObject} as team from teams t left join groups g on g.id = t.group_id
    where t.company_id = ${companyId} and t.id in (select value from json_each(${list})) order by t.id`;
}

export function readTeams(result: Result): TeamFacts[] {
  return result.rows.map((row) => parseTeam(row.team));
}

export const teamSorts = { created_at: "created_at" };

const source: ListSource = {
  table: "teams",
  alias: "t",
  columns: `${teamObject.sql} as team`,
  joins: "left join groups g on g.id = t.group_id",
};

export interface TeamFilter {
  readonly search?: string | undefined;
  readonly groups?: readonly number[] | undefined;
  /** Only teams that take leads. */
  readonly dealers?: boolean;
}

export async function listTeams(
  ctx: Context,
  paging: Paging,
  filter: TeamFilter,
): Promise<{ rows: Row[]; total: number }> {
  const scope = companyScope(ctx.caller);
  const conditions: Sql[] = [];
  if (filter.groups) {
    conditions.push(
      indexed("alone", sql`t.group_id in (select value from json_each(${JSON.stringify(filter.groups)}))`),
    );
  }
  if (filter.dealers) conditions.push(sql`t.team_type = 'dealer'`);
  conditions.push(...searched(sql`t.id`, "teams_search", searchScope(scope.companyId), filter.search));
  const total = conditions.length > 0 ? countOf(source, scope, conditions) : totalOf("teams", scope);
  const [rows, count] = await ctx.deps.db.read([pageOf(source, scope, paging, conditions), total]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}

/** The prefix of a company's words in the search indexes. */
export function searchScope(companyId: number): string {
  return `c${companyId}z`;
}

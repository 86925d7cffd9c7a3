/** Lead types of a deleted team, their settings for it, and what they show of its relations paths. */
import type { Author } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { LeadTypeRecord } from "../lead_types/record.ts";
import { touchLeadTypes } from "../relations_paths/lead_types.ts";
import { type CachedLeadType, presentType } from "../leads/cached_lead_types.ts";

/**
 * Moves lead types to the successor, and removes their settings for the team. Without a successor they still name the
 * team, and their makers and admins alone see them.
 */
export function reassignTypes(
  author: Author,
  { company_id, team_id, successor_id }: TeamDeletion,
): Statement {
  const after = successor_id ?? team_id;
  return sql`update lead_types set team_id = case when team_id = ${team_id} then ${after} else team_id end,
    kept_for = case when team_id = ${team_id} and ${successor_id} is null then created_by else kept_for end,
    team_settings = (select json_group_array(json(each.value) order by each.key)
    from json_each(team_settings) each where each.value ->> 'team_id' <> ${team_id}),
    updated_at = ${author.at}, version = version + 1 where company_id = ${company_id} and (team_id = ${team_id}
    or exists (select 1 from json_each(team_settings) each where each.value ->> 'team_id' = ${team_id}))`;
}

/** The lead types that show relations paths change before these go to the successor. */
export function touchTypesOfPaths({ company_id, team_id, successor_id }: TeamDeletion): Statement[] {
  const paths =
    sql`select id from relations_paths where company_id = ${company_id} and owner = ${`t${team_id}`}`;
  return successor_id === null ? [] : [touchLeadTypes(company_id, paths)];
}

/** A lead type after the deletion of a team. */
export function reassignLeadType(
  author: Author,
  type: CachedLeadType,
  { team_id, successor_id }: TeamDeletion,
): CachedLeadType {
  const { record } = type;
  const own = record.team_id === team_id;
  const named = record.team_settings.some((setting) => setting.team_id === team_id);
  const paths = record.relations_paths.some((path) => path.team_id === team_id);
  if (!own && !named && !paths) return type;
  const after: LeadTypeRecord = {
    ...record,
    ...(own || named ? { updated_at: author.at } : {}),
    version: record.version + (own || named ? 1 : 0) + (paths ? 1 : 0),
    team_id: own ? successor_id ?? team_id : record.team_id,
    kept_for: own && successor_id === null ? record.created_by : record.kept_for ?? null,
    team_settings: record.team_settings.filter((setting) => setting.team_id !== team_id),
    relations_paths: record.relations_paths.map((path) =>
      path.team_id === team_id
        ? {
          ...path,
          team_id: successor_id ?? team_id,
          kept_for: successor_id === null ? path.created_by : null,
          updated_at: author.at,
        }
        : path
    ),
  };
  return presentType(after);
}

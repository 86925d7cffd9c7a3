/** The paths, users and teams that the body of a lead type names, as far as the caller may use them. */
import { seesOwned } from "../../core/access.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import type { PathRecord } from "../relations_paths/present.ts";
import { pathJson } from "../relations_paths/queries.ts";
import type { LeadTypeChange, LeadTypeRecord, TeamSetting } from "./record.ts";

/** The lists of the body. An absent list does not change. */
export type Given = Pick<LeadTypeChange, "relations_path_ids" | "escalation_user_ids" | "team_settings">;

/** The lists after the change. */
export interface TypeReferences {
  readonly relations_paths: readonly PathRecord[];
  readonly escalation_user_ids: readonly number[];
  readonly team_settings: readonly TeamSetting[];
  /** Reject the batch when a reference has been deleted meanwhile. */
  readonly guards: readonly Statement[];
}

/** The reads of `readTypeReferences`. */
export function selectTypeReferences(companyId: number, given: Given): Statement[] {
  return [
    sql`select p.id, ${pathJson} as path from json_each(${JSON.stringify(given.relations_path_ids ?? [])}) e
      join relations_paths p on p.id = e.value
      where p.company_id = ${companyId}`,
    sql`select u.id from ${composeUserRows(companyId, given.escalation_user_ids ?? [])}`,
    // For each place in the list: whether the team exists, and whether the user belongs to it.
    sql`select e.key as place, t.id as team_id, m.user_id
      from json_each(${JSON.stringify(given.team_settings ?? [])}) e
      left join teams t on t.id = e.value ->> 'team_id' and t.company_id = ${companyId}
      left join team_members m on m.team_id = t.id and m.user_id = e.value ->> 'user_id'`,
  ];
}

/**
 * Returns the lists after the change. A reference that does not exist and is not in `before` goes to
 * `errors`.
 */
export function readTypeReferences(
  ctx: Context,
  given: Given,
  results: readonly Result[],
  before: LeadTypeRecord | null,
  errors: FieldError[],
): TypeReferences {
  const relations_paths = given.relations_path_ids
    ? checkPaths(ctx, given.relations_path_ids, results[0]!, before, errors)
    : before?.relations_paths ?? [];
  const known = new Set(before?.escalation_user_ids);
  const escalation_user_ids = chooseList(given.escalation_user_ids, before?.escalation_user_ids);
  const newUsers = escalation_user_ids.filter((id) => !known.has(id));
  const found = new Set(results[1]!.rows.map(({ id }) => id));
  escalation_user_ids.forEach((id, index) => {
    if (!known.has(id) && !found.has(id)) {
      errors.push(missingReference(`escalation_user_ids[${index}]`, "user"));
    }
  });
  const team_settings = chooseList(given.team_settings, before?.team_settings).map(makeSetting);
  const newSettings = checkSettings(team_settings, results[2]!, before, errors);
  checkSettingPaths(
    team_settings,
    given.relations_path_ids ?? before?.relations_paths.map(({ id }) => id),
    errors,
  );
  return {
    relations_paths,
    escalation_user_ids,
    team_settings,
    guards: [
      guardPaths(relations_paths),
      guardUsers(ctx.caller.companyId, newUsers),
      guardTeamSettings(ctx.caller.companyId, newSettings),
    ],
  };
}

/** Returns the list after the change: an absent list keeps the one before, null clears it. */
function chooseList<T>(given: readonly T[] | null | undefined, before: readonly T[] = []): readonly T[] {
  return given === undefined ? before : given ?? [];
}

function checkPaths(
  { caller }: Context,
  ids: readonly string[],
  found: Result,
  before: LeadTypeRecord | null,
  errors: FieldError[],
): PathRecord[] {
  const paths = new Map(found.rows.map(({ id, path }) => [id, JSON.parse(path as string) as PathRecord]));
  const kept = new Set(before?.relations_paths.map(({ id }) => id));
  return ids.flatMap((id, index) => {
    const path = paths.get(id);
    if (path && (kept.has(id) || seesOwned(caller, path))) return path;
    errors.push(missingReference(`relations_path_ids[${index}]`, "relations path"));
    return [];
  });
}

function makeSetting({ team_id, relations_path_id, user_id }: Partial<TeamSetting>): TeamSetting {
  return { team_id: team_id!, relations_path_id: relations_path_id ?? null, user_id: user_id ?? null };
}

/** Checks the new settings and returns them. */
function checkSettings(
  settings: readonly TeamSetting[],
  found: Result,
  before: LeadTypeRecord | null,
  errors: FieldError[],
): TeamSetting[] {
  const kept = new Set(before?.team_settings.map((setting) => JSON.stringify(makeSetting(setting))));
  const byPlace = new Map(found.rows.map((row) => [Number(row.place), row]));
  return settings.filter((setting, index) => {
    if (kept.has(JSON.stringify(setting))) return false;
    const row = byPlace.get(index);
    if (!row || row.team_id === null) {
      errors.push(missingReference(`team_settings[${index}].team_id`, "team"));
    } else if (setting.user_id !== null && row.user_id === null) {
      const message = "The user does not belong to that team.";
      errors.push(fieldError(`team_settings[${index}].user_id`, "exists", message));
    }
    return true;
  });
}

function checkSettingPaths(
  settings: readonly TeamSetting[],
  paths: readonly string[] | undefined,
  errors: FieldError[],
): void {
  settings.forEach(({ relations_path_id }, index) => {
    if (relations_path_id === null || paths?.includes(relations_path_id)) return;
    const message = "Must be one of relations_path_ids.";
    errors.push(fieldError(`team_settings[${index}].relations_path_id`, "exists", message));
  });
}

/** SQL after `from`: the users of the company among the ids. */
function composeUserRows(companyId: number, ids: readonly number[]): Sql {
  return sql`json_each(${JSON.stringify(ids)}) e join users u on u.id = e.value
    where u.company_id = ${companyId} and u.deleted_at is null`;
}

/** Rejects the batch when a path, which the answer shows, has changed since it was read. */
function guardPaths(paths: readonly PathRecord[]): Statement {
  return guardThat(
    "relations_paths",
    sql`(select count(*) from json_each(${JSON.stringify(paths.map((path) => [path.id, path.version]))}) e
    join relations_paths p on p.id = e.value ->> 0
    and p.version = e.value ->> 1) = ${paths.length}`,
  );
}

function guardUsers(companyId: number, ids: readonly number[]): Statement {
  return guardThat(
    "users",
    sql`(select count(*) from ${composeUserRows(companyId, ids)}) = ${ids.length}`,
  );
}

function guardTeamSettings(companyId: number, settings: readonly TeamSetting[]): Statement {
  return guardThat(
    "team_settings",
    sql`(select count(*) from json_each(${JSON.stringify(settings)}) e
    join teams t on t.id = e.value ->> 'team_id' and t.company_id = ${companyId}
    where e.value ->> 'user_id' is null or exists (select 1 from team_members m where m.team_id = t.id
    and m.user_id = e.value ->> 'user_id')) = ${settings.length}`,
  );
}

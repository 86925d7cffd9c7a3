/**
 * Places of files and folders: a root or a folder. What a place belongs to stands at the topmost folder alone, so
 * that moving a folder with all in it changes one row.
 */
import { isAdmin, type Member } from "../core/access.ts";
import { placeJson } from "../db/places.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import type { Belonging } from "./table.ts";

export { deepestLevel, isAlive, placeJson } from "../db/places.ts";

export interface Place {
  readonly belongs_to: Belonging;
  /** The id of the company, group, team or user. */
  readonly belongs_to_id: number;
  /** The group of the team, when it belongs to a team. */
  readonly group_id: number | null;
  /** The number of folders above; of a place itself its level, 0 for a root. */
  readonly level: number;
  /** Whether it or a folder above is being removed: nobody sees it. */
  readonly removed: boolean;
}

/** SQL: the place that is the folder of an id (SQL), as JSON for `asPlace`; null without such a folder. */
export function folderPlaceJson(companyId: number, folderId: Sql): Sql {
  return sql`(select ${
    folderPlace("d")
  } from folders d where d.id = ${folderId} and d.company_id = ${companyId})`;
}

/** The same over the columns of an alias. */
export function folderPlace(alias: string): Sql {
  const above = placeJson(alias, sql`${identifier(alias, "deleted_at")} is not null`);
  return sql`json_set(${above}, '$.level', 1 + (${above} ->> '$.level'))`;
}

/** SQL: the ids of all files in a folder and below it. */
export function filesBelow(folderId: string): Sql {
  return sql`select f.id from (${foldersBelow(folderId)}) below join files f on f.folder_id = below.id`;
}

/** SQL: the ids of a folder and all folders below it. */
export function foldersBelow(folderId: string): Sql {
  return sql`select id from (with recursive down(id) as (select ${folderId}
    union all select d.id from down join folders d on d.folder_id = down.id) select id from down)`;
}

/** Reads what `placeJson` or `folderPlaceJson` selected. */
export function asPlace(json: unknown): Place | null {
  return typeof json === "string" ? JSON.parse(json) as Place : null;
}

/** Whether the member reads what is there, by the place alone. */
export function mayReadPlace(member: Member, place: Place): boolean {
  if (place.removed) return false;
  const { belongs_to, belongs_to_id } = place;
  switch (belongs_to) {
    case "company":
      return belongs_to_id === member.companyId;
    case "group":
      return isAdmin(member) || member.groupIds.includes(belongs_to_id);
    case "team":
      return member.teamIds.includes(belongs_to_id) || mayWrite(member, place);
    case "user":
      return belongs_to_id === member.userId;
  }
}

/**
 * Whether the member adds, changes and removes what is there: admins in the company's, group admins in their
 * groups', team admins and the group's admins in their teams', users in their own; admins everywhere but in others'
 * own.
 */
export function mayWrite(member: Member, place: Place): boolean {
  if (place.removed) return false;
  const { belongs_to, belongs_to_id, group_id } = place;
  if (belongs_to === "user") return belongs_to_id === member.userId;
  if (isAdmin(member)) return true;
  const isGroupAdminOf = (id: number | null) =>
    id !== null && member.userType === "group_admin" && member.groupIds.includes(id);
  if (belongs_to === "group") return isGroupAdminOf(belongs_to_id);
  if (belongs_to !== "team") return false;
  return isGroupAdminOf(group_id) ||
    (member.userType === "team_admin" && member.teamIds.includes(belongs_to_id));
}

/** SQL: `mayWrite` of a place (JSON of `placeJson`), which is null of a file that has no place. */
export function isWritable(member: Member, place: Sql): Sql {
  const { userId, userType, groupIds, teamIds } = member;
  const belongsTo = (belonging: Belonging, ids: readonly number[]) =>
    sql`${place} ->> 'belongs_to' = ${belonging} and ${place} ->> 'belongs_to_id' in (select value from json_each(${
      JSON.stringify(ids)
    }))`;
  const groups = userType === "group_admin" ? groupIds : [];
  const teams = userType === "team_admin" ? teamIds : [];
  const shared = isAdmin(member)
    ? sql`${place} ->> 'belongs_to' <> 'user'`
    : sql`(${belongsTo("group", groups)}) or (${belongsTo("team", teams)})
      or (${place} ->> 'belongs_to' = 'team' and ${place} ->> 'group_id' in (select value from json_each(${
      JSON.stringify(groups)
    })))`;
  return sql`(${place} is not null and not (${place} ->> 'removed')
    and ((${belongsTo("user", [userId])}) or ${shared}))`;
}

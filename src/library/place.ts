/**
 * Places of files and folders: a root or a folder. Only the topmost folder stores what a place belongs to, so
 * that moving a folder with everything in it changes one row.
 */
import { isAdmin, type Member } from "../core/access.ts";
import { selectPlaceJson } from "../sales/case_parts/file_places.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import type { Belonging } from "./table.ts";

export { deepestLevel, isAlive, selectPlaceJson } from "../sales/case_parts/file_places.ts";

export interface Place {
  readonly belongs_to: Belonging;
  /** The id of the company, group, team or user. */
  readonly belongs_to_id: number;
  /** The group of the team, when it belongs to a team. */
  readonly group_id: number | null;
  /** The level of the place, 0 for a root. It is also the number of folders above an item in it. */
  readonly level: number;
  /** Whether the place or a folder above it is being deleted, which hides it from all users. */
  readonly removed: boolean;
}

/** SQL: the folder of an id (SQL) as a place, in JSON for `parsePlace`; null without such a folder. */
export function selectFolderPlaceJson(companyId: number, folderId: Sql): Sql {
  return sql`(select ${composeFolderPlace("d")} from folders d where d.id = ${folderId}
    and d.company_id = ${companyId})`;
}

/** SQL: the folder of an alias as a place, in JSON for `parsePlace`. */
export function composeFolderPlace(alias: string): Sql {
  const above = selectPlaceJson(alias, sql`${identifier(alias, "deleted_at")} is not null`);
  return sql`json_set(${above}, '$.level', 1 + (${above} ->> '$.level'))`;
}

/** SQL: the ids of all files in a folder and below it. */
export function selectFilesBelow(folderId: string): Sql {
  return sql`select f.id from (${selectFoldersBelow(folderId)}) below join files f on f.folder_id = below.id`;
}

/** SQL: the ids of a folder and all folders below it. */
export function selectFoldersBelow(folderId: string): Sql {
  return sql`select id from (with recursive down(id) as (select ${folderId}
    union all select d.id from down join folders d on d.folder_id = down.id) select id from down)`;
}

/** Parses the result of `selectPlaceJson` or `selectFolderPlaceJson`. */
export function parsePlace(json: unknown): Place | null {
  return typeof json === "string" ? JSON.parse(json) as Place : null;
}

/** Returns whether the member may read the items of the place, by the place alone. */
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
 * Returns whether the member may add, change and remove items of the place. Users may in their own places,
 * team admins in those of their teams, group admins in those of their groups and the teams of these, admins
 * everywhere except in other users' own places.
 */
export function mayWrite(member: Member, place: Place): boolean {
  if (place.removed) return false;
  const { belongs_to, belongs_to_id, group_id } = place;
  if (belongs_to === "user") return belongs_to_id === member.userId;
  if (isAdmin(member)) return true;
  const administersGroup = (id: number | null) =>
    id !== null && member.userType === "group_admin" && member.groupIds.includes(id);
  if (belongs_to === "group") return administersGroup(belongs_to_id);
  if (belongs_to !== "team") return false;
  return administersGroup(group_id) ||
    (member.userType === "team_admin" && member.teamIds.includes(belongs_to_id));
}

/** Returns whether there can be a place of this belonging that the member may write. */
export function mayWriteSome(member: Member, belonging: Belonging): boolean {
  if (belonging === "user" || isAdmin(member)) return true;
  if (belonging === "company") return false;
  return member.userType === "group_admin" || (belonging === "team" && member.userType === "team_admin");
}

/** SQL: `mayWrite` for a place (JSON of `selectPlaceJson`). False if it is null, for a file without a place. */
export function isWritable(member: Member, place: Sql): Sql {
  const { userId, userType, groupIds, teamIds } = member;
  const belongsTo = (belonging: Belonging, ids: readonly number[]) =>
    sql`${place} ->> 'belongs_to' = ${belonging} and ${place} ->> 'belongs_to_id' in (select value
      from json_each(${JSON.stringify(ids)}))`;
  const groups = userType === "group_admin" ? groupIds : [];
  const teams = userType === "team_admin" ? teamIds : [];
  const shared = isAdmin(member)
    ? sql`${place} ->> 'belongs_to' <> 'user'`
    : sql`(${belongsTo("group", groups)}) or (${belongsTo("team", teams)})
      or (${place} ->> 'belongs_to' = 'team' and ${place} ->> 'group_id' in (select value
      from json_each(${JSON.stringify(groups)})))`;
  return sql`(${place} is not null and not (${place} ->> 'removed')
    and ((${belongsTo("user", [userId])}) or ${shared}))`;
}

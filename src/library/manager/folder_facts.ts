/** Folders as the manager reads them: with their place, which decides who may see and change them. */
import type { Member } from "../../core/access.ts";
import { forbidden, notFound } from "../../core/errors.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import {
  composeFolderPlace,
  mayReadPlace,
  mayWrite,
  parsePlace,
  type Place,
  selectFolderPlaceJson,
} from "../place.ts";
import { type FolderRow, folders } from "../table.ts";

export interface FolderFacts extends FolderRow {
  /** The place that the folder is, not the place that it is in. */
  readonly place: Place;
  /** `place` as the JSON that SQLite wrote, for the guard of a change. */
  readonly place_json: string;
}

const placeOfFolder = composeFolderPlace("folder");

/** Select list for `readFolderRow` over `folders folder`. */
export const folderColumns = sql`${selectColumns(folders, "folder")}, ${placeOfFolder} as place`;

export function selectFolderById({ companyId }: Member, id: string): Statement {
  return sql`select ${folderColumns} from folders folder where folder.id = ${id}
    and folder.company_id = ${companyId}`;
}

export function readFolderRow({ place, ...columns }: Row): FolderFacts {
  return { ...columns as FolderRow, place: parsePlace(place)!, place_json: place as string };
}

/** Returns the folder of the row. Throws 404 when it does not exist or the member may not read it. */
export function requireReadableFolder(member: Member, row: Row | undefined): FolderFacts {
  const folder = row && readFolderRow(row);
  if (!folder || !mayReadPlace(member, folder.place)) throw notFound();
  return folder;
}

/** Like `requireReadableFolder`, but throws 403 when the member may read the folder and not change it. */
export function requireWritableFolder(member: Member, row: Row | undefined): FolderFacts {
  const folder = requireReadableFolder(member, row);
  requireWrite(member, folder.place);
  return folder;
}

/** Throws 403 when the member may not write the place. */
export function requireWrite(member: Member, place: Place): void {
  if (!mayWrite(member, place)) {
    throw forbidden(
      "Only admins, and the group or team admins of its group or team, may change what is there.",
    );
  }
}

/** Rejects the batch when the place of the folder has changed, or the folder is being deleted. */
export function guardFolder({ id, company_id, place_json }: FolderFacts): Statement {
  return guardThat("place", sql`${selectFolderPlaceJson(company_id, sql`${id}`)} is ${place_json}`);
}

/** SQL: whether a folder is another one (SQL) or is below it. */
export function isWithin(folderId: string, other: Sql): Sql {
  return sql`exists (with recursive up(id) as (select ${folderId}
    union select p.folder_id from up join folders p on p.id = up.id where p.folder_id is not null)
    select 1 from up where up.id = ${other})`;
}

/** SQL: the number of levels of a folder with all folders in it, at least 1. */
export function countLevels(folderId: string): Sql {
  return sql`(with recursive down(id, level) as (select ${folderId}, 1
    union all select d.id, down.level + 1 from down join folders d on d.folder_id = down.id)
    select max(level) from down)`;
}

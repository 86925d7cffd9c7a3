/** Folders as the manager reads them: with their place, which decides who may see and change them. */
import type { Member } from "../../core/access.ts";
import { forbidden, notFound } from "../../core/errors.ts";
import { columnsOf, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { asPlace, folderPlace, folderPlaceJson, mayReadPlace, mayWrite, type Place } from "../place.ts";
import { type FolderRow, folders } from "../table.ts";

export interface FolderFacts extends FolderRow {
  /** The place that it is, not the one that it is in. */
  readonly place: Place;
  /** The same as SQLite wrote it, for the guard of a change. */
  readonly place_json: string;
}

/** Select list for `folderOfRow` over `folders folder`. */
export const folderColumns = sql`${columnsOf(folders, "folder")}, ${folderPlace("folder")} as place`;

export function folderById({ companyId }: Member, id: string): Statement {
  return sql`select ${folderColumns} from folders folder where folder.id = ${id}
    and folder.company_id = ${companyId}`;
}

export function folderOfRow({ place, ...columns }: Row): FolderFacts {
  return { ...columns as FolderRow, place: asPlace(place)!, place_json: place as string };
}

/** Throws 404 when there is no such folder that the member may read. */
export function readableFolder(member: Member, row: Row | undefined): FolderFacts {
  const folder = row && folderOfRow(row);
  if (!folder || !mayReadPlace(member, folder.place)) throw notFound();
  return folder;
}

/** The same; throws 403 when the member may read it but not change it. */
export function writableFolder(member: Member, row: Row | undefined): FolderFacts {
  const folder = readableFolder(member, row);
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

/** Rejects the batch when the folder is or belongs elsewhere than before, or is in removal. */
export function guardFolder({ id, company_id, place_json }: FolderFacts): Statement {
  return guardThat("place", sql`${folderPlaceJson(company_id, sql`${id}`)} is ${place_json}`);
}

/** SQL: whether a folder is another one (SQL) or is below it. */
export function isWithin(folderId: string, other: Sql): Sql {
  return sql`exists (with recursive up(id) as (select ${folderId}
    union select p.folder_id from up join folders p on p.id = up.id where p.folder_id is not null)
    select 1 from up where up.id = ${other})`;
}

/** SQL: the levels that a folder with all folders in it takes, at least 1. */
export function levelsOf(folderId: string): Sql {
  return sql`(with recursive down(id, level) as (select ${folderId}, 1
    union all select d.id, down.level + 1 from down join folders d on d.folder_id = down.id)
    select max(level) from down)`;
}

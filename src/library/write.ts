/** Statements of commits that create, change or remove files. */
import { makeId } from "../core/ids.ts";
import { searchTokens } from "../core/text.ts";
import { markShown } from "../db/alters.ts";
import type { Author } from "../db/commit.ts";
import { dropObjects } from "../db/objects.ts";
import { searchScope } from "../identity/teams/queries.ts";
import { insert, insertAll, remove, type Sql, sql, updateVersioned } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { guardChanged, guardThat, type Statement } from "../platform/database/database.ts";
import type { FileFacts, Permission } from "./access.ts";
import type { ContentColumns } from "./content.ts";
import { addNameKey, extractEnding } from "./names.ts";
import { selectPlaceJson } from "./place.ts";
import type { ShownFile } from "./present.ts";
import { filePermissions, type FileRow, files } from "./table.ts";

type NewFile =
  & Pick<ShownFile, "company_id" | "user_id">
  & Partial<Pick<ShownFile, "public" | "permissions">>
  & { readonly name: string; readonly content: ContentColumns };

/** Returns a new file without a place. `name` must be an allowed name. */
export function makeFile(
  { now, at }: { readonly now: number; readonly at: string },
  { name, content, ...given }: NewFile,
): ShownFile {
  return {
    id: makeId(now),
    ...addNameKey(name),
    type: extractEnding(name),
    ...content,
    public: 0,
    folder_id: null,
    belongs_to: null,
    belongs_to_id: null,
    placed_by: null,
    placed_at: null,
    picture_key: null,
    created_at: at,
    updated_at: at,
    version: 1,
    permissions: [],
    place: null,
    place_json: null,
    ...given,
  };
}

/** Inserts a file with its permissions. The same commit must take its object with `takeObjects`. */
export function insertFile(file: ShownFile): Statement[] {
  const { permissions, place: _place, place_json: _json, ...row } = file;
  return [
    insert(files, { ...row, readers: encodeReaders(permissions) }),
    ...insertPermissions(file, permissions),
    indexName(file),
  ];
}

/**
 * Changes columns of a file and, when given, its permissions. Guards the place and version that were read.
 */
export function changeFile(
  before: FileFacts,
  set: Partial<Omit<FileRow, "seq" | "id" | "company_id">>,
  permissions?: readonly Permission[],
): Statement[] {
  return [
    guardPlace(before),
    updateVersioned(files, set, before),
    guardChanged("file"),
    ...(permissions
      ? markShown([
        ...removePermissions(before),
        sql`update files set readers = ${encodeReaders(permissions)} where id = ${before.id}`,
        ...insertPermissions(before, permissions),
      ])
      : []),
    ...(set.name === undefined || set.name === before.name ? [] : [indexName({ ...before, name: set.name })]),
  ];
}

/** Removes a file from everything that shows it, and its objects from the storage. */
export function removeFile({ deps, now }: Pick<Author, "deps" | "now">, file: FileFacts): Statement[] {
  const { id, company_id, version } = file;
  return [
    guardPlace(file),
    clearReaders(sql`${id}`),
    ...deps.deleteNaming("file", sql`${id}`),
    remove(files, { id, company_id, version }),
    guardChanged("file"),
    dropObjects(now, [file.object_key, file.picture_key]),
  ];
}

/**
 * Removes files (a select of ids) like `removeFile`. Before, begin work for the cases that show them: see
 * `beginCases`.
 */
export function removeFiles(
  { deleteNaming }: Pick<Deps, "deleteNaming">,
  ids: Sql,
  now: number,
): Statement[] {
  return [
    sql`update objects set removed_from = ${now} where removed_from is null and key in (
      select object_key from files where id in (${ids})
      union all select picture_key from files where id in (${ids}) and picture_key is not null)`,
    clearReaders(ids),
    ...deleteNaming("file", ids),
    sql`delete from files where id in (${ids})`,
  ];
}

/** Removes the permissions of a file. */
function removePermissions({ id }: Pick<FileRow, "id">): Statement[] {
  return [clearReaders(sql`${id}`), remove(filePermissions, { file_id: id })];
}

/** Clears `readers` before permissions go, so that no trigger rebuilds it for each of them. */
function clearReaders(ids: Sql): Statement {
  return sql`update files set readers = '[]' where id in (${ids})`;
}

/** The column `readers` of a file with these permissions, which are sorted. */
function encodeReaders(permissions: readonly Permission[]): string {
  return JSON.stringify(permissions.map(({ type, value }) => `${type}:${value}`));
}

/** Rejects the batch when the place of the file has changed, or its folder is being deleted. */
export function guardPlace({ id, place_json }: Pick<FileFacts, "id" | "place_json">): Statement {
  return guardThat(
    "place",
    sql`(select ${selectPlaceJson("file")} from files file where file.id = ${id}) is ${place_json}`,
  );
}

/** Like `guardPlace`, for several files. */
export function guardPlaces(files: readonly Pick<FileFacts, "id" | "place_json">[]): Statement {
  const places = JSON.stringify(files.map(({ id, place_json }) => [id, place_json]));
  return guardThat(
    "place",
    sql`not exists (select 1 from json_each(${places}) p join files file on file.id = p.value ->> 0
      where ${selectPlaceJson("file")} is not p.value ->> 1)`,
  );
}

function insertPermissions(
  { id, company_id, created_at }: Pick<FileRow, "id" | "company_id" | "created_at">,
  permissions: readonly Permission[],
): Statement[] {
  if (permissions.length === 0) return [];
  return [
    insertAll(
      filePermissions,
      permissions.map(({ type, value }) => ({ file_id: id, type, value, company_id, created_at })),
    ),
  ];
}

/** Writes the words of the file's name into the full-text index. */
export function indexName({ id, company_id, name }: Pick<FileRow, "id" | "company_id" | "name">): Sql {
  return sql`insert or replace into files_search (rowid, words) values ((select seq from files where id = ${id}),
    ${searchTokens(searchScope(company_id), [name])})`;
}

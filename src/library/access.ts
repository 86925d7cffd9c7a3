/**
 * Decides who may read and change files: for lists, single files, downloads, tokens, attachments and
 * pictures. Read a file with `selectFilesById`, then ask `mayRead` and `mayChange`; or call `requireReadableFile`.
 *
 * These may read a file: its owner; the company, groups and teams of its permissions; users who see a record
 * that it is attached to; the recipients, if it is a report; users who may read its folder or root; all users
 * of the company, if it is public; and admins, unless it is in another user's own folders. No user may read a
 * file in a folder being deleted.
 *
 * These may change a file: its owner, users who may write its folder or root, and admins who may read it.
 */
import { isAdmin, type Member } from "../core/access.ts";
import { forbidden, invalid, missingReference, notFound } from "../core/errors.ts";
import { isNotBeingDeleted } from "../customers/accounts/being_deleted.ts";
import { makeLeadScope, makeTeamScope, testScope } from "../db/scope.ts";
import { joinSql, literal, selectColumns, type Sql, sql } from "../db/statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import { isNotRemoved } from "../sales/cases/queries.ts";
import {
  isAlive,
  isWritable,
  mayReadPlace,
  mayWrite,
  parsePlace,
  type Place,
  selectPlaceJson,
} from "./place.ts";
import { type AttachedType, attachedTypes, type FileRow, files, type PermissionType } from "./table.ts";

export interface Permission {
  readonly type: PermissionType;
  /** The id of the company, group or team. */
  readonly value: number;
}

/** A file with all facts that decide who may read and change it, and that its JSON shows. */
export interface FileFacts extends FileRow {
  /** Sorted by type and value. */
  readonly permissions: readonly Permission[];
  /** Null: the file has no place. */
  readonly place: Place | null;
  /** `place` as the JSON that SQLite wrote, for the guard of a change. */
  readonly place_json: string | null;
  /** Whether the member sees a record that the file is attached to, or received it as a report. */
  readonly is_attached: boolean;
  /** Whether it is attached to any case. */
  readonly in_cases: boolean;
}

/** The member who reads, and the time (a wire timestamp), because leads expire. */
export interface Reader {
  readonly member: Member;
  readonly at: string;
}

/** Returns the reader of a request. */
export function makeReader(ctx: { readonly caller: Member; readonly at: string }): Reader {
  return { member: ctx.caller, at: ctx.at };
}

/** Select list for `readFileRow` over `files file`, with the facts that let the reader see the file. */
export function selectFileColumns(reader: Reader): Sql {
  return sql`${shownColumns}, ${isAttached(reader, sql`file.id`)} as is_attached, exists (select 1
    from attachments a
    where a.file_id = file.id and a.entity_type = 'case') as in_cases`;
}

/** SQL: the permissions of `files file` as JSON. */
export const filePermissionsJson = sql`(select json_group_array(
    json_object('type', p.type, 'value', p.value) order by p.type, p.value)
  from file_permissions p where p.file_id = file.id)`;

/** `selectFileColumns` without attachments. `listedFileColumns` is for lists that select only readable files. */
const shownColumns = sql`${selectColumns(files, "file")}, ${selectPlaceJson("file")} as place,
  ${filePermissionsJson} as permissions`;
export const listedFileColumns = sql`${shownColumns}, 0 as is_attached, 0 as in_cases`;

/** Reads files of the company by their ids, with the facts that let the reader see them; unordered. */
export function selectFilesById(reader: Reader, ids: readonly string[]): Statement {
  return sql`select ${selectFileColumns(reader)} from files file where file.id in (select value
    from json_each(${JSON.stringify(ids)})) and file.company_id = ${reader.member.companyId}`;
}

/** Reads one file for `requireReadableFile` and `requireChangeableFile`. */
export function selectFileById(reader: Reader, id: string): Statement {
  return sql`select ${selectFileColumns(reader)} from files file where file.id = ${id}
    and file.company_id = ${reader.member.companyId}`;
}

/** Reads a row of `selectFileColumns` or `listedFileColumns`. */
export function readFileRow(row: Row): FileFacts {
  const { permissions, place, is_attached, in_cases, ...columns } = row;
  return {
    ...columns as FileRow,
    permissions: JSON.parse(permissions as string) as Permission[],
    place: parsePlace(place),
    place_json: place as string | null,
    is_attached: is_attached === 1,
    in_cases: in_cases === 1,
  };
}

/** Returns the file of the row; throws 404 when there is none that the member may read. */
export function requireReadableFile(member: Member, row: Row | undefined): FileFacts {
  const file = row && readFileRow(row);
  if (!file || !mayRead(member, file)) throw notFound();
  return file;
}

/** Like `requireReadableFile`, but throws 403 when the member may read the file and not change it. */
export function requireChangeableFile(member: Member, row: Row | undefined): FileFacts {
  const file = requireReadableFile(member, row);
  if (mayChange(member, file)) return file;
  throw forbidden("Only its owner, users who may write its folder, and admins may change the file.");
}

/** Returns the files of a body's `file_ids`; throws 422 for those that the member may not read. */
export function requireReadableFiles(
  member: Member,
  rows: readonly Row[],
  ids: readonly string[],
): FileFacts[] {
  const readable = rows.map(readFileRow).filter((file) => mayRead(member, file));
  const known = new Set(readable.map(({ id }) => id));
  const errors = ids.flatMap((id, index) =>
    known.has(id) ? [] : [missingReference(`file_ids[${index}]`, "file")]
  );
  if (errors.length > 0) throw invalid(...errors);
  return readable;
}

/** Whether the member may read the file: by ownership, publicity, a record, permissions or its place. */
export function mayRead(member: Member, file: FileFacts): boolean {
  const { place } = file;
  if (file.company_id !== member.companyId || place?.removed) return false;
  return file.user_id === member.userId || file.public === 1 || file.is_attached ||
    file.permissions.some((permission) => isPermitted(member, permission)) ||
    (place !== null && mayReadPlace(member, place)) ||
    (isAdmin(member) && place?.belongs_to !== "user");
}

/** Whether the member may change the file: its owner, users who may write its place, and admins who may read it. */
export function mayChange(member: Member, file: FileFacts): boolean {
  return mayRead(member, file) &&
    (file.user_id === member.userId || isAdmin(member) ||
      (file.place !== null && mayWrite(member, file.place)));
}

/**
 * SQL: the id of the file if the reader may change it. This is `mayChange` for a batch that reads the file
 * and also writes, such as the announcement of its new content.
 */
export function selectChangeableId(reader: Reader, id: string): Sql {
  const { member } = reader;
  const permitted = sql`exists (select 1 from json_each(f.permissions) p,
    json_each(${JSON.stringify(listPermitted(member))}) g where p.value ->> 'type' = g.value ->> 0
    and p.value ->> 'value' = g.value ->> 1)`;
  const asAdmin = sql`f.place is null or f.place ->> 'belongs_to' <> 'user' or f.public = 1 or f.is_attached
    or ${permitted}`;
  return sql`select f.id from (${selectFileById(reader, id)}) f
    where ifnull(f.place ->> 'removed', 0) = 0 and (f.user_id = ${member.userId}
      or ${isWritable(member, sql`f.place`)} or (${isAdmin(member) ? 1 : 0} and (${asAdmin})))`;
}

/**
 * Returns the permissions that include the member, as pairs of type and id. The SQL of lists takes them as
 * JSON.
 */
export function listPermitted({ companyId, groupIds, teamIds }: Member): [PermissionType, number][] {
  return [
    ["company", companyId],
    ...groupIds.map((id): [PermissionType, number] => ["group", id]),
    ...teamIds.map((id): [PermissionType, number] => ["team", id]),
  ];
}

function isPermitted(member: Member, { type, value }: Permission): boolean {
  return listPermitted(member).some(([given, id]) => given === type && id === value);
}

/** SQL: whether the reader sees a record that the file of an id (SQL) is attached to. */
export function isAttached(reader: Reader, fileId: Sql): Sql {
  const seen = attachedTypes.map((type) =>
    sql`when ${literal(type)} then ${seesRecord[type](reader, sql`a.entity_id`)}`
  );
  return sql`(exists (select 1 from attachments a where a.file_id = ${fileId}
      and case a.entity_type ${joinSql(seen, " ")} end)
    or exists (select 1 from report_readers p where p.file_id = ${fileId} and p.user_id = ${reader.member.userId}))`;
}

/** SQL: whether the reader sees the record of an id (SQL): it exists, and is neither deleted nor expired. */
export const seesRecord: Readonly<Record<AttachedType, (reader: Reader, id: Sql) => Sql>> = {
  account: ({ member }, id) =>
    sql`exists (select 1 from accounts r where r.id = ${id} and ${testScope(makeTeamScope(member), "r")}
      and ${isNotBeingDeleted(sql`r.id`)})`,
  contact: ({ member }, id) =>
    sql`exists (select 1 from contacts r where r.id = ${id} and ${testScope(makeTeamScope(member), "r")}
      and ${isNotBeingDeleted(sql`r.account_id`)})`,
  case: ({ member }, id) =>
    sql`exists (select 1 from cases r where r.id = ${id} and ${testScope(makeTeamScope(member), "r")}
      and ${isNotRemoved(sql`r.id`)})`,
  lead: ({ member, at }, id) =>
    sql`exists (select 1 from leads r where r.id = ${id} and ${testScope(makeLeadScope(member), "r")}
      and r.hidden = 0 and (r.expires_at is null or r.expires_at > ${at}))`,
};

/**
 * SQL: whether a file of the alias `file` is in no folder being deleted. Every list of files has this condition.
 */
export function isListed(companyId: number): Sql {
  return isAlive(companyId, sql`file.folder_id`);
}

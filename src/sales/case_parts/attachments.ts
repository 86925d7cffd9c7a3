/** The files that a case shows: the newest attachments. The library attaches them. */
import { type FileColumns, fileMembers } from "../../core/file_json.ts";
import { bindRows, composeJsonMembers, type Sql, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { isAlive, selectPlaceJson } from "./file_places.ts";

/** The most files that a record shows. */
export const mostShownFiles = 50;

/** An attached file, with the columns of files that it shows. */
export interface AttachedFile extends FileColumns {
  readonly attached_by: number;
  readonly attached_at: string;
}

const columns = [
  "id",
  "name",
  "type",
  "size",
  "public",
  "created_at",
  "updated_at",
  "user_id",
  "company_id",
  "folder_id",
] as const;

/** SQL: the newest files of a record (SQL of its id) as JSON for `parseAttachedFiles`, except those in `leaving`. */
export function selectAttachedFiles(type: "case" | "lead", id: Sql, leaving: readonly string[] = []): Sql {
  const rows = sql`select file.id as file_id, a.attached_by, a.attached_at from attachments a
    join files file on file.id = a.file_id where a.entity_type = ${type} and a.entity_id = ${id}
    and a.file_id not in (select value from json_each(${JSON.stringify(leaving)}))
    and ${isAlive(sql`file.company_id`, sql`file.folder_id`)}
    order by a.attached_at desc, a.file_id desc limit ${bindRows(mostShownFiles)}`;
  const place = selectPlaceJson("file");
  return sql`(select json_group_array(json_object(${composeJsonMembers(columns, "file")},
    'attached_by', shown.attached_by, 'attached_at', shown.attached_at, 'place', json(${place}),
    'permissions', json((select json_group_array(json_object('type', p.type, 'value', p.value) order by p.type, p.value)
      from file_permissions p where p.file_id = file.id)))
    order by shown.attached_at desc, shown.file_id desc)
    from (${rows}) shown join files file on file.id = shown.file_id)`;
}

/** Reads the JSON of `selectAttachedFiles`. */
export function parseAttachedFiles(text: Row[string]): AttachedFile[] {
  return JSON.parse(text as string) as AttachedFile[];
}

/** Adds files to those of a case: the newest first, each once, as it was first attached. */
export function addAttached(
  there: readonly AttachedFile[],
  added: readonly AttachedFile[],
): AttachedFile[] {
  const known = new Set(there.map(({ id }) => id));
  const key = ({ attached_at, id }: AttachedFile) => `${attached_at} ${id}`;
  return [...there, ...added.filter(({ id }) => !known.has(id))]
    .sort((one, other) => (key(one) < key(other) ? 1 : -1)).slice(0, mostShownFiles);
}

export function presentAttachedFiles(files: readonly AttachedFile[]) {
  return files.map((file) => ({
    ...fileMembers(file),
    attached_by: file.attached_by,
    attached_at: file.attached_at,
  }));
}

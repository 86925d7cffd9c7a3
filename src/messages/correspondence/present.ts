/** Correspondence → wire shape. */
import { getTableColumns } from "drizzle-orm";
import { identifier, joinSql, selectColumns, type Sql, sql } from "../../db/statements.ts";
import { isAlive } from "../../library/place.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import type { Row } from "../../platform/database/database.ts";
import { type CorrespondenceRow, correspondences } from "./table.ts";

/** A row with the names that it shows. */
export interface CorrespondenceRecord extends CorrespondenceRow {
  readonly user_name: string | null;
  /** JSON. */
  readonly files: string;
}

const names = sql`${selectNameOfUser(sql`message.user_id`)} as user_name,
  (select json_group_array(json_object('id', f.id, 'name', f.name, 'size', f.size) order by i.key)
    from json_each(message.file_ids) i join files f on f.id = i.value
    where ${isAlive(sql`f.company_id`, sql`f.folder_id`)}) as files`;

/** Select list over the alias `message`. */
export const correspondenceColumns = sql`${selectColumns(correspondences, "message")}, ${names}`;

const columnNames = joinSql(
  Object.keys(getTableColumns(correspondences)).filter((name) => name !== "content" && name !== "parts")
    .map((name) => identifier("message", name)),
  ", ",
);

/** The same select list, without the content and with the parts of the subject alone. */
export const listedColumns: Sql =
  sql`${columnNames}, json_remove(message.parts, '$.content', '$.frame') as parts, ${names}`;

export function readCorrespondenceRow(row: Row): CorrespondenceRecord {
  return row as Row & CorrespondenceRecord;
}

/** The files that a reader sees in a correspondence. `isShown` is given the file's id. */
export interface ShownFiles {
  readonly isShown: (id: string, of: Pick<CorrespondenceRow, "user_id">) => boolean;
}

/** For those who sent or received it. */
export const allFiles: ShownFiles = { isShown: () => true };

export function presentListedMessage(of: Omit<CorrespondenceRecord, "content">, files: ShownFiles) {
  return presentShown(of, files);
}

export function presentCorrespondence(of: CorrespondenceRecord, files: ShownFiles) {
  return { ...presentShown(of, files), content: of.content };
}

function presentShown(of: Omit<CorrespondenceRecord, "content">, { isShown }: ShownFiles) {
  const files = JSON.parse(of.files) as { id: string; name: string; size: number }[];
  return {
    id: of.id,
    case_id: of.case_id,
    activity_id: of.activity_id,
    type: of.type,
    direction: of.direction,
    status: of.status,
    from: of.sender === null ? null : JSON.parse(of.sender) as { name: string; address: string },
    to: of.recipient,
    user: of.user_id === null ? null : { id: of.user_id, name: of.user_name ?? "" },
    subject: of.subject,
    template_id: of.template_id,
    files: files.filter(({ id }) => isShown(id, of)),
    file_count: files.length,
    error: of.error,
    sent_at: of.sent_at,
    opened_at: of.opened_at,
    created_at: of.created_at,
    updated_at: of.updated_at,
  };
}

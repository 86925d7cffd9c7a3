/** Note → wire shape. */
import { lateNumber } from "../../core/answer.ts";
import { object } from "../../core/json.ts";
import { columnsOf, rowJson, type Sql, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { type NoteRow, notes } from "./table.ts";

/** A note with the name of its author. `id` is null until the batch assigns it. */
export type NoteFacts = Omit<NoteRow, "id"> & { readonly id: number | null; readonly user_name: string };

/** Select list and join for `asNote` over the alias `note`. */
export const noteColumns = sql`${columnsOf(notes, "note")},
  author.first_name || ' ' || author.last_name as user_name`;
export const noteJoins = sql`left join users author on author.id = note.user_id`;

/** SQL: the note of an id (SQL) as JSON for `asNote`. */
export function noteJson(id: Sql): Sql {
  return rowJson(
    notes,
    ["user_name"],
    sql`select ${noteColumns} from notes note ${noteJoins} where note.id = ${id}`,
  );
}

export function asNote(row: Row): NoteFacts & { readonly id: number } {
  return row as NoteFacts & { id: number };
}

export function presentNote(note: NoteFacts) {
  return object({
    id: lateNumber(note.id),
    note: note.note,
    user: { id: note.user_id, name: note.user_name },
    case_id: note.case_id,
    activity_id: note.activity_id,
    contact_id: note.contact_id,
    account_id: note.account_id,
    created_at: note.created_at,
    updated_at: note.updated_at,
  });
}

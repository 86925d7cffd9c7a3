/** The parts of a commit that changes notes. */
import type { EventName } from "../../core/events.ts";
import { type FieldError, fieldError } from "../../core/errors.ts";
import { sanitizeText } from "../../core/html.ts";
import { searchTokens } from "../../core/text.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { remove, type Sql, sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { type NoteFacts, notes, presentNote } from "./record.ts";

export function draftNoteEvent(name: EventName, note: NoteFacts): EventDraft {
  const { id, team_id, user_id } = note;
  return {
    name,
    entity: { type: "note", id, team_id, created_by: user_id },
    body: presentNote(note),
  };
}

/** Writes the words of the note into the full-text index. `id` may be SQL. */
export function indexNoteWords(id: number | Sql, note: Pick<NoteFacts, "company_id" | "note">): Statement {
  return sql`insert or replace into notes_search (rowid, words)
    values (${id}, ${searchTokens(`c${note.company_id}z`, [stripTags(note.note)])})`;
}

/** Removes a note; guards the version that was read. */
export function removeNote(note: NoteFacts & { readonly id: number }): {
  statements: Statement[];
  event: EventDraft;
} {
  const { id, company_id, version } = note;
  return {
    statements: [
      remove(notes, { id, company_id, version }),
      guardChanged("note"),
    ],
    event: draftNoteEvent("note_deleted", note),
  };
}

/** Returns the sanitised text to store. Adds an error when nothing is left of it. */
export async function cleanNote(html: string, errors: FieldError[]): Promise<string> {
  const clean = await sanitizeText(html);
  if (clean === "") {
    errors.push(fieldError("note", "format", "Contains nothing but HTML that is not allowed."));
  }
  return clean;
}

/** The words of sanitised HTML: tags and escaped characters separate words. */
function stripTags(html: string): string {
  return html.replace(/<[^<>]*>|&(?:amp|lt|gt|quot);/g, " ");
}

/** Parts of the commits that change notes. */
import type { EventName } from "../../core/events.ts";
import { searchTokens } from "../../core/text.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { remove, type Sql, sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { type NoteFacts, presentNote } from "./present.ts";
import { notes } from "./table.ts";

export function noteEvent(name: EventName, note: NoteFacts): EventDraft {
  const { id, team_id, user_id } = note;
  return { name, entity: { type: "note", id, team_id, created_by: user_id }, body: presentNote(note) };
}

/** Puts the words of the note (an id, or an expression for it) into the full-text index. */
export function indexNoteWords(id: number | Sql, note: Pick<NoteFacts, "company_id" | "note">): Statement {
  return sql`insert or replace into notes_search (rowid, words) values (${id}, ${
    searchTokens(`c${note.company_id}z`, [textOf(note.note)])
  })`;
}

/** Removes a note as it was read, with what hangs on it. */
export function removedNote(note: NoteFacts & { readonly id: number }): {
  statements: Statement[];
  event: EventDraft;
} {
  const { id, company_id, version } = note;
  return {
    statements: [
      remove(notes, { id, company_id, version }),
      guardChanged("note"),
    ],
    event: noteEvent("note_deleted", note),
  };
}

/** The text of sanitised HTML, as far as words go: its tags part words, and so does what it has escaped. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>|&(?:amp|lt|gt|quot);/g, " ");
}

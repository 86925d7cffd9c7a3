/** Notes of deleted customers and cases: deletes them, or removes their contact. */
import { guardVersions, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";
import { noteColumns, noteJoins, readNoteRow } from "./queries.ts";
import { draftNoteEvent } from "./write.ts";

/** Notes in a step, so that it holds the write lock for well under 100 ms. */
const most = 100;

/**
 * Deletes the notes of the ids (a select). A note that is created meanwhile prevents the deletion of its
 * record.
 */
export function removeNotes(notes: Sql, take: Take): PlannedStep {
  const taken = take(notes, most);
  return {
    reads: [selectNotesAmong(taken.ids)],
    apply(_author, [found]) {
      const notes = found!.rows.map(readNoteRow);
      const ids = JSON.stringify(notes.map(({ id }) => id));
      return {
        statements: [
          guardVersions("notes", notes),
          sql`delete from notes where id in (select value from json_each(${ids}))`,
        ],
        events: notes.map((note) => draftNoteEvent("note_deleted", note)),
        more: notes.length >= taken.most,
      };
    },
  };
}

/** Removes the contact from the notes of the ids. */
export function detachNotes(notes: Sql, take: Take): PlannedStep {
  const taken = take(notes, most);
  return {
    reads: [selectNotesAmong(taken.ids)],
    apply({ at }, [found]) {
      const notes = found!.rows.map(readNoteRow);
      const ids = JSON.stringify(notes.map(({ id }) => id));
      const set = { contact_id: null, account_id: null, updated_at: at };
      return {
        statements: [
          guardVersions("notes", notes),
          sql`update notes set contact_id = null, account_id = null, updated_at = ${at}, version = version + 1
            where id in (select value from json_each(${ids}))`,
        ],
        events: notes.map((note) =>
          draftNoteEvent("note_updated", { ...note, ...set, version: note.version + 1 })
        ),
        more: notes.length >= taken.most,
      };
    },
  };
}

/** SQL: the ids of the notes on the cases of the ids (a select). */
export function selectNotesOfCases(cases: Sql): Sql {
  return sql`select n.id from notes n where n.case_id in (${cases})`;
}

function selectNotesAmong(ids: Sql): Statement {
  return sql`select ${noteColumns} from notes note ${noteJoins} where note.id in (${ids})`;
}

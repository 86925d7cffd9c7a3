/** Notes of deleted customers: on their contacts, and on their cases. */
import { guardVersions } from "../../db/guards.ts";
import { raw, type Sql, statement } from "../../db/statements.ts";
import type { Leaving, Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { asNote, noteColumns, noteJoins } from "../notes/present.ts";
import { noteEvent } from "../notes/write.ts";
import { casesLeaving } from "./leaving.ts";

/** In a step: few enough that it holds the write lock for well under 100 ms. */
const most = 100;

/** SQL: the ids of the notes that go. One on an account is on a contact of it. */
export function notesLeaving(leaving: Leaving): Sql {
  const { contacts } = leaving;
  const cases = casesLeaving(leaving);
  return raw(
    `select n.id from notes n where n.contact_id in (${contacts.text}) union ` +
      `select n.id from notes n where n.case_id in (${cases.text})`,
    ...contacts.args,
    ...cases.args,
  );
}

/** Reads what `takeNotes` takes of the notes of these ids (a select). */
export function noteReads({ text, args }: Sql): Statement {
  return statement(
    `select ${noteColumns} from notes note ${noteJoins} ` +
      `where note.id in (select id from (${text}) order by id limit ${most + 1})`,
    ...args,
  );
}

/** One that is written meanwhile keeps what it names from being deleted. */
export function takeNotes({ rows }: Result): Taken {
  const notes = rows.slice(0, most).map(asNote);
  const ids = JSON.stringify(notes.map(({ id }) => id));
  return {
    statements: [
      guardVersions("notes", notes),
      statement("delete from notes where id in (select value from json_each(?))", ids),
    ],
    events: notes.map((note) => noteEvent("note_deleted", note)),
    more: rows.length > most,
  };
}

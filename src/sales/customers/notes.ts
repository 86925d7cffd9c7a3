/** Notes of deleted customers: on their contacts, and on their cases. */
import type { FieldAuthor } from "../../db/commit.ts";
import { guardVersions } from "../../db/guards.ts";
import { type Sql, sql, statement } from "../../db/statements.ts";
import type { Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { asNote, noteColumns, noteJoins } from "../notes/present.ts";
import { noteEvent } from "../notes/write.ts";

/** In a step: few enough that it holds the write lock for well under 100 ms. */
const most = 100;

/** Reads what `takeNotes` and `keepNotes` take of the notes of these ids (a select). */
export function noteReads({ sql: text, args }: Sql): Statement {
  return statement(
    `select ${noteColumns.sql} from notes note ${noteJoins.sql} ` +
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
      sql`delete from notes where id in (select value from json_each(${ids}))`,
    ],
    events: notes.map((note) => noteEvent("note_deleted", note)),
    more: rows.length > most,
  };
}

/** They no longer name the contact that is deleted. */
export function keepNotes({ at }: FieldAuthor, { rows }: Result): Taken {
  const notes = rows.slice(0, most).map(asNote);
  const ids = JSON.stringify(notes.map(({ id }) => id));
  const set = { contact_id: null, account_id: null, updated_at: at };
  return {
    statements: [
      guardVersions("notes", notes),
      sql`update notes set contact_id = null, account_id = null, updated_at = ${at}, version = version + 1
        where id in (select value from json_each(${ids}))`,
    ],
    events: notes.map((note) => noteEvent("note_updated", { ...note, ...set, version: note.version + 1 })),
    more: rows.length > most,
  };
}

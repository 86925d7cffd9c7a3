/** What follows a contact to another account: the notes on it. */
import type { Followers } from "../../customers/contacts/followers.ts";
import { guardVersions } from "../../db/guards.ts";
import { statement } from "../../db/statements.ts";
import { guardThat } from "../../platform/database/database.ts";
import { asNote, noteColumns, noteJoins } from "../notes/present.ts";
import { noteEvent } from "../notes/write.ts";

export const contactFollowers: Followers = {
  reads: (contact) =>
    statement(
      `select ${noteColumns} from notes note ${noteJoins} where note.contact_id = ${contact.text} order by note.id`,
      ...contact.args,
    ),
  follow({ id, account_id, team_id }, { rows }) {
    const notes = rows.map(asNote);
    return {
      guards: [
        guardVersions("notes", notes),
        guardThat("notes", "(select count(*) from notes where contact_id = ?) = ?", [id, notes.length]),
      ],
      events: notes.map((note) => {
        const team = note.case_id === null ? team_id : note.team_id;
        return noteEvent("note_updated", { ...note, account_id, team_id: team, version: note.version + 1 });
      }),
    };
  },
};

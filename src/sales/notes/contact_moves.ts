/** Moves the notes of a contact and, if wanted, its cases to another account. */
import type { ContactMoveEffects, Move, Moved, MoveEffects } from "../../customers/contacts/on_moved.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, literal, type Sql, sql } from "../../db/statements.ts";
import { displayName } from "../../customers/accounts/display_name.ts";
import { selectTeamOfAccount } from "../../customers/accounts/queries.ts";
import { selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { renewCaseActivity } from "../cases/last_activity.ts";
import { isNotRemoved, readFullCases, selectCasesAmong } from "../cases/queries.ts";
import { type FullCase, parseTeamFacts } from "../cases/parts.ts";
import { changeCase } from "../cases/write.ts";
import { noteColumns, noteJoins, readNoteRow } from "./queries.ts";
import type { NoteFacts } from "./record.ts";
import { draftNoteEvent } from "./write.ts";

/** Records of each kind in a commit, so that it holds the write lock for well under 100 ms. */
const most = { notes: 100, cases: 20 };

export const contactMoveEffects: ContactMoveEffects = {
  reads(move) {
    const notes = selectNotes(move);
    const cases = selectCases(move);
    return [
      sql`select ${noteColumns} from notes note ${noteJoins} where note.id in (${notes}
        order by id limit ${literal(most.notes + 1)}) order by note.id`,
      sql`select ${selectTeamJson(selectTeamOfAccount(move.account_id))} as team`,
      ...selectCasesAmong(sql`${cases} order by id limit ${literal(most.cases + 1)}`),
    ];
  },
  apply(author, move, moved, [notesFound, teamFound, ...casesFound]) {
    const found = { notes: notesFound!.rows.map(readNoteRow), cases: readFullCases(casesFound) };
    const team = parseTeamFacts(teamFound!.rows[0]!.team!);
    if (found.notes.length > most.notes || found.cases.length > most.cases) {
      const some = { notes: found.notes.slice(0, most.notes), cases: found.cases.slice(0, most.cases) };
      return { ...nothing, ahead: ahead(author, moved.before, some, team) };
    }
    const cases = moveCases(author, moved.after, found.cases, team);
    return {
      ahead: null,
      guards: [
        guardVersions("notes", found.notes),
        guardNumber("notes", selectNotes(move), found.notes.length),
        guardNumber("cases", selectCases(move), found.cases.length),
      ],
      statements: cases.statements,
      // A trigger changes the rows of the notes.
      events: [...found.notes.map((note) => draftNoteMoved(note, moved.after)), ...cases.events],
    };
  },
};

const nothing = { guards: [], statements: [], events: [] };

/** Moves the first notes and cases, before the contact moves. */
function ahead(
  author: FieldAuthor,
  { contact, account }: Moved["before"],
  { notes, cases }: { readonly notes: readonly (NoteFacts & { id: number })[]; readonly cases: FullCase[] },
  team: TeamFacts | null,
): NonNullable<MoveEffects["ahead"]> {
  const writes = moveCases(author, { contact, account }, cases, team);
  return {
    statements: [
      guardVersions("accounts", [account]),
      guardVersions("contacts", [contact]),
      guardVersions("notes", notes),
      sql`update notes set account_id = ${account.id}, team_id = iif(case_id is null, ${account.team_id}, team_id), version = version + 1
        where id in (select value from json_each(${JSON.stringify(notes.map(({ id }) => id))}))`,
      ...writes.statements,
    ],
    events: [...notes.map((note) => draftNoteMoved(note, { account })), ...writes.events],
  };
}

function moveCases(
  author: FieldAuthor,
  { contact, account }: Moved["after"],
  cases: readonly FullCase[],
  team: TeamFacts | null,
): { statements: Statement[]; events: EventDraft[] } {
  if (cases.length === 0) return { statements: [], events: [] };
  const writes = cases.map((of) =>
    changeCase(author, of, { account_id: account.id }, {
      account: { ...account, account_team: team },
      account_name: displayName(account),
      contact: {
        ...contact,
        contact_team: contact.account_id === account.id ? team : of.contact.contact_team,
      },
      first_name: contact.first_name,
      last_name: contact.last_name,
    })
  );
  const accounts = [account.id, ...new Set(cases.map((of) => of.account_id))];
  return {
    statements: [
      ...writes.flatMap(({ statements }) => statements),
      ...renewCaseActivity({ accounts, contacts: [] }),
    ],
    events: writes.map(({ event }) => event),
  };
}

function draftNoteMoved(note: NoteFacts, { account }: Pick<Moved["after"], "account">): EventDraft {
  const team_id = note.case_id === null ? account.team_id : note.team_id;
  return draftNoteEvent("note_updated", {
    ...note,
    account_id: account.id,
    team_id,
    version: note.version + 1,
  });
}

/** SQL: the ids of the notes on the contact that are not at its new account. */
function selectNotes({ contact, account_id }: Move): Sql {
  return sql`select id from notes where contact_id = ${contact} and account_id is not ${account_id}`;
}

/** SQL: the ids of the cases that move. */
function selectCases({ contact, account_id, with_cases }: Move): Sql {
  if (!with_cases) return sql`select id from cases where 0`;
  return sql`select id from cases where contact_id = ${contact} and account_id is not ${account_id}
    and ${isNotRemoved(sql`id`)}`;
}

/** Rejects the batch when the number of the rows has changed. */
function guardNumber(what: string, rows: Sql, number: number): Statement {
  return guardThat(what, sql`(select count(*) from (${rows})) = ${number}`);
}

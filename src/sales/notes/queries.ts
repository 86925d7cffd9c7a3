/** Reads of notes. */
import { seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { columnIn } from "../../lists/conditions.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { searchSelection } from "../../lists/search.ts";
import type { Selection } from "../../lists/selection.ts";
import { selectColumns, selectRowJson, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { z } from "zod";
import { csvUuids } from "../../http/zod.ts";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { Note, type NoteFacts, notes, presentNote } from "./record.ts";

/** Select list and join for `readNoteRow` over the alias `note`. */
export const noteColumns = sql`${selectColumns(notes, "note")},
  author.first_name || ' ' || author.last_name as user_name`;
export const noteJoins = sql`left join users author on author.id = note.user_id`;

/** SQL: the note of an id (SQL) as JSON for `readNoteRow`. */
export function selectNoteJson(id: Sql): Sql {
  return selectRowJson(
    notes,
    ["user_name"],
    sql`select ${noteColumns} from notes note ${noteJoins} where note.id = ${id}`,
  );
}

export function readNoteRow(row: Row): NoteFacts & { readonly id: number } {
  return row as NoteFacts & { id: number };
}

export const noteList: List = {
  table: "notes",
  alias: "note",
  columns: noteColumns,
  joins: noteJoins,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  indexes: listIndexes(notes),
  isCounted: true,
};

export const NotePage = describePage(Note, "NotePage");

export const NoteListQuery = z.object({
  ...paging,
  ...search,
  ...sorting(noteList.sorts),
  activity_ids: csvUuids.optional(),
  account_ids: csvUuids.optional(),
  case_ids: csvUuids.optional(),
  contact_ids: csvUuids.optional(),
});

const filters = ["activity_ids", "account_ids", "case_ids", "contact_ids"] as const;

interface NoteConditions
  extends Readonly<Partial<Record<typeof filters[number], readonly string[] | undefined>>> {
  readonly search?: string | undefined;
}

/** A page of the notes that the caller sees, and their number. */
export function listNotes(ctx: Context, query: NoteConditions, asked: Paging): Promise<ListPage> {
  return readList(ctx, noteList, {
    scope: makeTeamScope(ctx.caller),
    paging: asked,
    selection: makeSelection(ctx, query),
  });
}

/** For users who see the case or the contact of the note. */
export async function getNote(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectNoteById(ctx.caller.companyId, id)]);
  return ok(presentNote(requireNote(ctx, found!)));
}

/** The read of `requireNote`. */
export function selectNoteById(companyId: number, id: number): Statement {
  return sql`select ${noteColumns} from notes note ${noteJoins}
    where note.id = ${id} and note.company_id = ${companyId}`;
}

/** Throws 404 when the note does not exist or the caller does not see it. */
export function requireNote(ctx: Context, result: Result): NoteFacts & { readonly id: number } {
  const row = result.rows[0];
  if (!row || !seesTeam(ctx.caller, readNoteRow(row).team_id)) throw notFound();
  return readNoteRow(row);
}

function makeSelection(ctx: Context, query: NoteConditions): Selection {
  const words = searchSelection("notes_search", `c${ctx.caller.companyId}z`, query.search);
  // The parameter `case_ids` names the column `case_id`.
  const conditions = filters.flatMap((filter) => {
    const ids = query[filter];
    return ids === undefined ? [] : [columnIn(filter.slice(0, -1), ids, 0.0005)];
  });
  return { conditions: [...conditions, ...words.conditions], paths: words.paths };
}

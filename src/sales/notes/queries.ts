/** Reads of notes. */
import { seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { columnIn } from "../../lists/conditions.ts";
import { indexesOf } from "../../lists/indexes.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { teamScope } from "../../db/scope.ts";
import { searchSelection } from "../../lists/search.ts";
import type { Selection } from "../../lists/selection.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { asNote, noteColumns, type NoteFacts, noteJoins, presentNote } from "./present.ts";
import { notes } from "./table.ts";

export const noteList: List = {
  table: "notes",
  alias: "note",
  columns: noteColumns,
  joins: noteJoins,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  indexes: indexesOf(notes),
  isCounted: true,
};

const filters = ["activity_ids", "account_ids", "case_ids", "contact_ids"] as const;

interface NoteConditions
  extends Readonly<Partial<Record<typeof filters[number], readonly string[] | undefined>>> {
  readonly search?: string | undefined;
}

/** A page of the notes that the caller sees, and their number. */
export function listNotes(ctx: Context, query: NoteConditions, paging: Paging): Promise<ListPage> {
  return readList(ctx, noteList, {
    scope: teamScope(ctx.caller),
    paging,
    selection: selectionOf(ctx, query),
  });
}

/** For users who see the case or the contact of the note. */
export async function getNote(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([noteById(ctx.caller.companyId, id)]);
  return ok(presentNote(noteOf(ctx, found!)));
}

/** The read of `noteOf`. */
export function noteById(companyId: number, id: number): Statement {
  return sql`select ${noteColumns} from notes note ${noteJoins}
    where note.id = ${id} and note.company_id = ${companyId}`;
}

/** Throws 404 when the note does not exist or the caller does not see it. */
export function noteOf(ctx: Context, result: Result): NoteFacts & { readonly id: number } {
  const row = result.rows[0];
  if (!row || !seesTeam(ctx.caller, asNote(row).team_id)) throw notFound();
  return asNote(row);
}

function selectionOf(ctx: Context, query: NoteConditions): Selection {
  const words = searchSelection("notes_search", `c${ctx.caller.companyId}z`, query.search);
  // The parameter `case_ids` names the column `case_id`.
  const conditions = filters.flatMap((filter) => {
    const ids = query[filter];
    return ids === undefined ? [] : [columnIn(filter.slice(0, -1), ids, 0.0005)];
  });
  return { conditions: [...conditions, ...words.conditions], paths: words.paths };
}

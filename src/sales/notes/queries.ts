/** Reads of notes. */
import { seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { countOf, type ListSource, pageOf, type Paging, totalOf } from "../../lists/pages.ts";
import { teamScope } from "../../db/scope.ts";
import { searched } from "../../lists/search.ts";
import { identifier, indexed, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { asNote, noteColumns, type NoteFacts, noteJoins, presentNote } from "./present.ts";

const source: ListSource = { table: "notes", alias: "note", columns: noteColumns.sql, joins: noteJoins.sql };

/** The columns of `sort`. */
export const noteSorts = { created_at: "created_at" };

const filters = ["activity_ids", "account_ids", "case_ids", "contact_ids"] as const;

interface NoteConditions
  extends Readonly<Partial<Record<typeof filters[number], readonly string[] | undefined>>> {
  readonly search?: string | undefined;
}

/** A page of the notes that the caller sees, and their number. */
export async function listNotes(
  ctx: Context,
  query: NoteConditions,
  paging: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const scope = teamScope(ctx.caller);
  const conditions = conditionsOf(ctx, query);
  const [rows, total] = await ctx.deps.db.read([
    pageOf(source, scope, paging, conditions),
    conditions.length > 0 ? countOf(source, scope, conditions) : totalOf("notes", scope),
  ]);
  return { rows: rows!.rows, total: Number(total!.rows[0]!.n) };
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

function conditionsOf(ctx: Context, query: NoteConditions): Sql[] {
  const conditions = filters.flatMap((filter) => {
    const ids = query[filter];
    // The parameter `case_ids` names the column `case_id`.
    const column = identifier("note", filter.slice(0, -1));
    return ids === undefined
      ? []
      : [indexed("alone", sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`)];
  });
  return [
    ...conditions,
    ...searched(sql`note.id`, "notes_search", `c${ctx.caller.companyId}z`, query.search),
  ];
}

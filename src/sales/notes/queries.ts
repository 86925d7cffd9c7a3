/** Reads of notes. */
import { seesTeam } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { countOf, type ListSource, pageOf, type Paging, totalOf } from "../../lists/pages.ts";
import { teamScope } from "../../db/scope.ts";
import { searched } from "../../lists/search.ts";
import { indexed, raw, rawSql, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { asNote, noteColumns, type NoteFacts, noteJoins } from "./present.ts";

const source: ListSource = { table: "notes", alias: "note", columns: noteColumns, joins: noteJoins };

/** The columns that `sort` may name. */
export const noteSorts = { created_at: "created_at" };

const filters = ["activity_ids", "account_ids", "case_ids", "contact_ids"] as const;

interface Narrowing extends Readonly<Partial<Record<typeof filters[number], readonly string[] | undefined>>> {
  readonly search?: string | undefined;
}

/** One page of the notes that the caller sees, and their number. */
export async function listNotes(
  ctx: Context,
  query: Narrowing,
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

/** The statement that `noteOf` reads. */
export function noteById(companyId: number, id: number): Statement {
  return sql`select ${rawSql(noteColumns)} from notes note ${
    rawSql(noteJoins)
  } where note.id = ${id} and note.company_id = ${companyId}`;
}

/** The note; 404 when it is not there or the caller does not see it. */
export function noteOf(ctx: Context, result: Result): NoteFacts & { readonly id: number } {
  const row = result.rows[0];
  if (!row || !seesTeam(ctx.caller, asNote(row).team_id)) throw notFound();
  return asNote(row);
}

function conditionsOf(ctx: Context, query: Narrowing): Sql[] {
  const conditions = filters.flatMap((filter) => {
    const ids = query[filter];
    // By the name of the column: `case_ids` are found by `case_id`.
    const found = `note.${filter.slice(0, -1)} in (select value from json_each(?))`;
    return ids === undefined ? [] : [indexed("alone", raw(found, JSON.stringify(ids)))];
  });
  return [...conditions, ...searched("note.id", "notes_search", `c${ctx.caller.companyId}z`, query.search)];
}

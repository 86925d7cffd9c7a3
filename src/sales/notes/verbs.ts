/** Writing notes on cases and contacts. */
import { isAdmin, seesTeam } from "../../core/access.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, forbidden, invalid, missingReference } from "../../core/errors.ts";
import { sanitizeText } from "../../core/html.ts";
import { checkBackdating } from "../../customers/accounts/verbs.ts";
import { notRemoved } from "../cases/queries.ts";
import { notBeingDeleted } from "../../customers/removal/selection.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, lastId, type Sql, sql, statement, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { checkMentions, guardMentions, mentionedBy, mentionNotifications } from "./mentions.ts";
import { type NoteFacts, presentNote } from "./present.ts";
import { noteById, noteOf } from "./queries.ts";
import type { NoteBody, NoteChange } from "./schema.ts";
import { notes } from "./table.ts";
import { indexNoteWords, noteEvent, removedNote } from "./write.ts";

export async function getNote(ctx: Context, id: number): Promise<Answer> {
  const [found] = await ctx.deps.db.read([noteById(ctx.caller.companyId, id)]);
  return ok(presentNote(noteOf(ctx, found!)));
}

/** 201 with the note. */
export async function createNote(ctx: Context, body: NoteBody): Promise<Answer> {
  const errors: FieldError[] = [];
  checkNamed(body, errors);
  checkBackdating(ctx, body.created_at, errors);
  const note = cleaned(body.note, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { companyId, userId } = ctx.caller;
  const team = teamOf(body);
  const [found, ...mentioned] = await ctx.deps.db.read([
    namedBy(ctx, body),
    ...mentionedBy(ctx, body.notify, team),
  ]);
  const named = found!.rows[0]!;
  checkThere(ctx, body, named, errors);
  checkMentions(body.notify, mentioned, errors);
  if (errors.length > 0) throw invalid(...errors);
  const row = {
    company_id: companyId,
    team_id: (body.case_id ? named.case_team : named.contact_team) as number | null,
    user_id: userId,
    note,
    case_id: body.case_id ?? null,
    activity_id: body.activity_id ?? null,
    account_id: body.account_id ?? null,
    contact_id: body.contact_id ?? null,
    created_at: body.created_at ?? ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  const made: NoteFacts = { ...row, id: null, user_name: named.user_name as string };
  const shown = presentNote(made);
  checkRecordSize(shown, "note");
  const id = lastId(notes);
  return await commit(ctx, {
    statements: [
      guardNamed(ctx, body, named),
      insert(notes, row),
      indexNoteWords(id, made),
      ...guardMentions(ctx, body.notify, team),
    ],
    events: [noteEvent("note_created", made)],
    notifications: mentionNotifications(ctx, made.case_id, body.notify),
    answer: created(shown),
    idFrom: notes,
  });
}

/** 201 with the note as it is now; 403 for anybody but its author. */
export async function updateNote(ctx: Context, id: number, body: NoteChange): Promise<Answer> {
  const team = sql`(select team_id from notes where id = ${id})`;
  const [found, ...mentioned] = await ctx.deps.db.read([
    noteById(ctx.caller.companyId, id),
    ...mentionedBy(ctx, body.notify, team),
  ]);
  const before = noteOf(ctx, found!);
  if (before.user_id !== ctx.caller.userId) {
    throw forbidden("Only the user who wrote the note may change it.");
  }
  checkMatch(ctx, () => presentNote(before));
  const errors: FieldError[] = [];
  const set = {
    note: body.note === undefined ? before.note : cleaned(body.note, errors),
    updated_at: ctx.at,
  };
  checkMentions(body.notify, mentioned, errors);
  if (errors.length > 0) throw invalid(...errors);
  const after = { ...before, ...set, version: before.version + 1 };
  checkRecordSize(presentNote(after), "note", () => presentNote(before));
  return await commit(ctx, {
    statements: [
      updateVersioned(notes, set, before),
      guardChanged("note"),
      ...(after.note === before.note ? [] : [indexNoteWords(id, after)]),
      ...guardMentions(ctx, body.notify, team),
    ],
    events: [noteEvent("note_updated", after)],
    notifications: mentionNotifications(ctx, after.case_id, body.notify),
    answer: created(presentNote(after)),
  });
}

/** 204; 403 for anybody but its author and admins. */
export async function deleteNote(ctx: Context, id: number): Promise<Answer> {
  const [found] = await ctx.deps.db.read([noteById(ctx.caller.companyId, id)]);
  const note = noteOf(ctx, found!);
  if (note.user_id !== ctx.caller.userId && !isAdmin(ctx.caller)) {
    throw forbidden("Only the user who wrote the note, or an admin, may delete it.");
  }
  checkMatch(ctx, () => presentNote(note));
  const { statements, event } = removedNote(note);
  return await commit(ctx, { statements, events: [event], answer: noContent });
}

/** What is stored of the text; there must be something left of it. */
function cleaned(html: string, errors: FieldError[]): string {
  const clean = sanitizeText(html);
  if (clean === "") errors.push(fieldError("note", "format", "Nothing is left of it as HTML that is safe."));
  return clean;
}

/** Which ids must be there with, or without, which others. */
function checkNamed({ activity_id, case_id, contact_id, account_id }: NoteBody, errors: FieldError[]): void {
  const missing = (path: string, rule: string) => void errors.push(fieldError(path, "required", rule));
  if (!case_id && activity_id) missing("case_id", "Required with activity_id.");
  else if (!case_id && !contact_id) missing("case_id", "Required without contact_id.");
  if (!contact_id && account_id) missing("contact_id", "Required with account_id.");
  else if (!contact_id && !case_id) missing("contact_id", "Required without case_id.");
  if (contact_id && !account_id) missing("account_id", "Required with contact_id.");
}

/** One row of what `checkThere` needs of the records that the body names, and of its author. */
function namedBy({ caller: { companyId, userId } }: Context, body: NoteBody): Statement {
  const ofCase = `from cases where id = ?1 and company_id = ?4 and ${notRemoved("id")}`;
  const ofContact = `from contacts where id = ?3 and company_id = ?4 and ${notBeingDeleted("account_id")}`;
  return statement(
    `select exists (select 1 ${ofCase}) as has_case, (select team_id ${ofCase}) as case_team, ` +
      "exists (select 1 from activities where id = ?2 and case_id = ?1) as has_activity, " +
      `(select account_id ${ofContact}) as account_id, (select team_id ${ofContact}) as contact_team, ` +
      "(select first_name || ' ' || last_name from users where id = ?5) as user_name",
    body.case_id ?? null,
    body.activity_id ?? null,
    body.contact_id ?? null,
    companyId,
    userId,
  );
}

function checkThere(ctx: Context, body: NoteBody, named: Row, errors: FieldError[]): void {
  const missing = (path: string, what: string) => void errors.push(missingReference(path, what));
  const sees = (team: Row[string] | undefined) => seesTeam(ctx.caller, team as number | null);
  const hasCase = named.has_case === 1 && sees(named.case_team);
  if (body.case_id && !hasCase) missing("case_id", "case");
  else if (body.activity_id && named.has_activity !== 1) missing("activity_id", "activity of the case");
  const hasContact = named.account_id !== null && sees(named.contact_team);
  if (body.contact_id && !hasContact) missing("contact_id", "contact");
  else if (body.contact_id && named.account_id !== body.account_id) {
    missing("account_id", "account of the contact");
  }
}

/** Refuses the batch when what was read by `referencesOf` is no longer so. */
function guardNamed(ctx: Context, body: NoteBody, named: Row): Statement {
  const { sql, args } = namedBy(ctx, body);
  const kept = ["has_case", "case_team", "has_activity", "account_id", "contact_team"];
  return guardThat(
    "named",
    statement(
      `(select json_array(${kept}) from (${sql})) = ?`,
      ...args,
      JSON.stringify(kept.map((name) => named[name]!)),
    ),
  );
}

/** The team that the note will have, as an expression. */
function teamOf({ case_id, contact_id }: NoteBody): Sql {
  return case_id
    ? sql`(select team_id from cases where id = ${case_id})`
    : sql`(select team_id from contacts where id = ${contact_id ?? null})`;
}

/** Changes the text of a note. */
import { created } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { type FieldError, forbidden, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import {
  checkMentions,
  draftMentionNotifications,
  encodeMentions,
  guardMentions,
  selectMentioned,
} from "./mentions.ts";
import { requireNote, selectNoteById } from "./queries.ts";
import { toJson } from "../../core/json.ts";
import { makeChanges } from "../../records/members.ts";
import { type NoteChange, noteMembers, notes, presentNote } from "./record.ts";
import { cleanNote, draftNoteEvent, indexNoteWords } from "./write.ts";

/** Returns 201 with the note. For the author of the note. */
export async function updateNote(ctx: Context, id: number, body: NoteChange) {
  const team = sql`(select team_id from notes where id = ${id})`;
  const [found, ...mentioned] = await ctx.deps.db.read([
    selectNoteById(ctx.caller.companyId, id),
    ...selectMentioned(ctx, body.notify, team),
  ]);
  const before = requireNote(ctx, found!);
  if (before.user_id !== ctx.caller.userId) {
    throw forbidden("Only the user who wrote the note may change it.");
  }
  checkMatch(ctx, () => presentNote(before));
  const errors: FieldError[] = [];
  const set = {
    ...makeChanges(noteMembers, body, before),
    note: body.note === undefined ? before.note : await cleanNote(body.note, errors),
    mentions: before.mentions | encodeMentions(ctx, body.notify),
    updated_at: ctx.at,
  };
  checkMentions(body.notify, mentioned, errors);
  if (errors.length > 0) throw invalid(...errors);
  const after = { ...before, ...set, version: before.version + 1 };
  const shown = toJson(presentNote(after));
  checkRecordSize(shown, "note", () => toJson(presentNote(before)));
  return await commit(ctx, {
    statements: [
      updateVersioned(notes, set, before),
      guardChanged("note"),
      ...(after.note === before.note ? [] : [indexNoteWords(id, after)]),
      ...guardMentions(ctx, body.notify, team),
    ],
    events: [draftNoteEvent("note_updated", after)],
    notifications: draftMentionNotifications(ctx, after.case_id, body.notify),
    answer: created(shown),
  });
}

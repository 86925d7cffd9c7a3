/** Creates a note on a case or a contact. */
import { created } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { checkTimes } from "../../http/validate.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, selectLastId } from "../../db/statements.ts";
import {
  checkMentions,
  draftMentionNotifications,
  encodeMentions,
  guardMentions,
  selectMentioned,
} from "./mentions.ts";
import {
  checkIds,
  checkReferences,
  guardReferences,
  selectNoteReferences,
  selectTeamOfNote,
} from "./references.ts";
import { toJson } from "../../core/json.ts";
import { makeInitial } from "../../records/members.ts";
import { type NoteBody, type NoteFacts, noteMembers, notes, presentNote } from "./record.ts";
import { cleanNote, draftNoteEvent, indexNoteWords } from "./write.ts";

/** Returns 201 with the note. For users who see the case and the contact of the note. */
export async function createNote(ctx: Context, body: NoteBody) {
  const errors: FieldError[] = [];
  checkIds(body, errors);
  checkTimes(ctx, body, errors);
  const note = await cleanNote(body.note, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { companyId, userId } = ctx.caller;
  const team = selectTeamOfNote(body);
  const [found, ...mentioned] = await ctx.deps.db.read([
    selectNoteReferences(ctx, body),
    ...selectMentioned(ctx, body.notify, team),
  ]);
  const references = found!.rows[0]!;
  checkReferences(ctx, body, references, errors);
  checkMentions(body.notify, mentioned, errors);
  if (errors.length > 0) throw invalid(...errors);
  const row = {
    ...makeInitial(noteMembers, body),
    company_id: companyId,
    team_id: (body.case_id ? references.case_team : references.contact_team) as number | null,
    user_id: userId,
    note,
    mentions: encodeMentions(ctx, body.notify),
    created_at: body.created_at ?? ctx.at,
    updated_at: ctx.at,
  };
  const after: NoteFacts = { ...row, id: null, user_name: references.user_name as string };
  const shown = toJson(presentNote(after));
  checkRecordSize(shown, "note");
  const id = selectLastId(notes);
  return await commit(ctx, {
    statements: [
      guardReferences(ctx, body, references),
      insert(notes, row),
      indexNoteWords(id, after),
      ...guardMentions(ctx, body.notify, team),
    ],
    events: [draftNoteEvent("note_created", after)],
    notifications: draftMentionNotifications(ctx, after.case_id, body.notify),
    answer: created(shown),
    idFrom: notes,
  });
}

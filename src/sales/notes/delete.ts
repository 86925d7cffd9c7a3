/** Deletes a note. */
import { isAdmin } from "../../core/access.ts";
import { noContent } from "../../core/answer.ts";
import { forbidden } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { presentNote } from "./record.ts";
import { requireNote, selectNoteById } from "./queries.ts";
import { removeNote } from "./write.ts";

/** For the author of the note and admins. */
export async function deleteNote(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectNoteById(ctx.caller.companyId, id)]);
  const note = requireNote(ctx, found!);
  if (note.user_id !== ctx.caller.userId && !isAdmin(ctx.caller)) {
    throw forbidden("Only the user who wrote the note, or an admin, may delete it.");
  }
  checkMatch(ctx, () => presentNote(note));
  const { statements, event } = removeNote(note);
  return await commit(ctx, { statements, events: [event], answer: noContent });
}

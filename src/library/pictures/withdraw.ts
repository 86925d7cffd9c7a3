/** Withdraws the published copy of a picture: its address ends. */
import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { dropObjects } from "../../db/objects.ts";
import { checkMatch } from "../../http/conditional.ts";
import { makeReader, requireChangeableFile, selectFileById } from "../access.ts";
import { changeFile } from "../write.ts";
import { presentPicture } from "./present.ts";

/** Returns 204. Ends the published picture of the file; throws 404 when there is none. */
export async function withdrawPicture(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectFileById(makeReader(ctx), id)]);
  const file = requireChangeableFile(ctx.caller, found!.rows[0]);
  const { picture_key } = file;
  if (picture_key === null) throw notFound("This file has no published picture.");
  checkMatch(ctx, () => presentPicture(ctx, file.id, picture_key));
  return await commit(ctx, {
    statements: [...changeFile(file, { picture_key: null }), dropObjects(ctx.now, [picture_key])],
    answer: noContent,
  });
}

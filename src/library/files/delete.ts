/** Deletes a file. */
import { noContent } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { makeReader, requireChangeableFile, selectFileById } from "../access.ts";
import { commitFiles } from "../shown_in_cases.ts";
import { presentFile } from "../present.ts";
import { removeFile } from "../write.ts";

/** Returns 204. Removes the file from every record and folder. Its tokens and links end. */
export async function deleteFile(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectFileById(makeReader(ctx), id)]);
  const file = requireChangeableFile(ctx.caller, found!.rows[0]);
  checkMatch(ctx, () => presentFile(file));
  return await commitFiles(ctx, [file], { statements: removeFile(ctx, file), answer: noContent });
}

/** Returns 303 with a link to the content, in `Location` and in the body. */
import type { Answer } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { makeReader, selectFileById } from "../access.ts";
import { composeLinkHeaders } from "../files/get.ts";
import { requireReadableManagedFile } from "./update_file.ts";

/** Returns 303 with a link to the content in `Location`, and in the body for programs that do not follow it. */
export async function downloadManagedFile(
  ctx: Context,
  id: string,
): Promise<Answer<{ readonly url: string }>> {
  const [found] = await ctx.deps.db.read([selectFileById(makeReader(ctx), id)]);
  const headers = composeLinkHeaders(ctx, requireReadableManagedFile(ctx, found!.rows[0]));
  return { status: 303, body: { url: headers.Location! }, headers };
}

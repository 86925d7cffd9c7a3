/** Reads a file, its content, and the usage of the company. */
import { type Answer, ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { type FileFacts, makeReader, requireReadableFile, selectFileById } from "../access.ts";
import { signContentLink } from "../links.ts";
import { selectUsage } from "../usage.ts";
import { presentWithToken } from "./present.ts";

/** Returns 200 with the file and a new download token. */
export async function getFile(ctx: Context, id: string) {
  return ok(presentWithToken(ctx, await readFile(ctx, id)));
}

/** Returns 303 with a link to the content in `Location`, which is good for five minutes. */
export async function downloadFile(ctx: Context, id: string): Promise<Answer<never>> {
  return { status: 303, body: null, headers: composeLinkHeaders(ctx, await readFile(ctx, id)) };
}

/** Returns the headers of a 303 to the content of a file that the caller may read. */
export function composeLinkHeaders(
  { deps: { secretsKey }, origin, now }: Pick<Context, "origin" | "now"> & {
    readonly deps: Pick<Context["deps"], "secretsKey">;
  },
  file: Pick<FileFacts, "id" | "object_key">,
): Record<string, string> {
  return { Location: signContentLink({ secretsKey, origin, now }, file), "Cache-Control": "no-store" };
}

/** Returns 200 with the number of the company's files, their bytes, and the quota in bytes (null: none). */
export async function getUsage({ deps, caller }: Context) {
  const [found] = await deps.db.read([selectUsage(caller.companyId)]);
  const { files, bytes } = found!.rows[0]!;
  return ok({ files: Number(files), bytes: Number(bytes), quota: deps.config.fileQuota });
}

/** Reads the file. Throws 404 when it does not exist or the caller may not read it. */
async function readFile(ctx: Context, id: string): Promise<FileFacts> {
  const [found] = await ctx.deps.db.read([selectFileById(makeReader(ctx), id)]);
  return requireReadableFile(ctx.caller, found!.rows[0]);
}

/** Replaces the content of a file. Its tokens, links and published picture end. */
import { requireRight } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { invalid } from "../../core/errors.ts";
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import {
  announceObjects,
  dropObjects,
  replaceObject,
  retractObjects,
  takeObjects,
  withStored,
} from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import {
  type FileFacts,
  makeReader,
  requireChangeableFile,
  selectChangeableId,
  selectFileById,
} from "../access.ts";
import { commitFiles } from "../shown_in_cases.ts";
import type { Content } from "../content.ts";
import { presentFile } from "../present.ts";
import { fitsQuota, guardQuota, makeQuotaFault } from "../usage.ts";
import { changeFile } from "../write.ts";
import { decodeContent } from "./create.ts";
import { presentWithToken } from "./present.ts";

/** Returns 200 with the file. Throws 403 for a public file without the right `files.publish`, 422 beyond the quota. */
export async function replaceFile(ctx: Context, id: string, { data }: { readonly data: string }) {
  const { object, columns } = decodeContent(data);
  const before = await announce(ctx, id, object);
  const set = { ...columns, picture_key: null, updated_at: ctx.at };
  const change = {
    statements: [
      ...takeObjects(ctx, [object]),
      ...changeFile(before, set),
      replaceObject(ctx.now, before.object_key),
      dropObjects(ctx.now, [before.picture_key]),
      ...(columns.size > before.size ? guardQuota(ctx.deps, before.company_id) : []),
    ],
    answer: ok(presentWithToken(ctx, { ...before, ...set })),
  };
  return await withStored(ctx, [object], () => commitFiles(ctx, [before], change));
}

/**
 * Announces the object in the round trip that reads the file, if the caller may replace it and there is room.
 * Retracts it when `If-Match` names another version.
 */
async function announce(ctx: Context, id: string, object: Content["object"]): Promise<FileFacts> {
  const { deps, caller } = ctx;
  const size = object.bytes.length;
  const mayPublish = caller.rights.has("files.publish") ? 1 : 0;
  // A file that does not grow needs no room, even if the quota is now lower than the usage.
  const fits = sql`(f.size >= ${size} or ${fitsQuota(deps, caller.companyId, sql`(${size} - f.size)`)})`;
  const of = sql`from files f where f.id = ${id} and f.company_id = ${caller.companyId}`;
  const [found, facts, announced] = await writeBefore(ctx, [
    selectFileById(makeReader(ctx), id),
    sql`select ${fits} as fits ${of}`,
    announceObjects(
      ctx,
      caller.companyId,
      [object],
      sql`select 1 ${of} and f.id in (${selectChangeableId(makeReader(ctx), id)}) and (f.public = 0
        or ${mayPublish})
        and ${fits}`,
    ),
  ]);
  try {
    const before = requireChangeableFile(caller, found!.rows[0]);
    checkMatch(ctx, () => presentFile(before));
    if (before.public === 1) requireRight(caller, "files.publish");
    if (facts!.rows[0]!.fits !== 1) throw invalid(makeQuotaFault(deps, "data"));
    return before;
  } catch (error) {
    if (announced!.changes > 0) await deps.db.write([retractObjects(ctx, [object])]);
    throw error;
  }
}

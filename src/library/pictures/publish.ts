/** Publishes a copy of a picture, without metadata and scripts; the file itself does not become public. */
import { created } from "../../core/answer.ts";
import { fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import { makeToken } from "../../core/ids.ts";
import { commit, writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceStreamed, type NewObject, takeStreamed, withdrawObjects } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import { checkPictures, mostPictureBytes } from "../../identity/pictures/check.ts";
import type { Row } from "../../platform/database/database.ts";
import {
  type FileFacts,
  makeReader,
  mayRead,
  readFileRow,
  requireChangeableFile,
  selectChangeableId,
  selectFileById,
} from "../access.ts";
import { fitsQuota, guardQuota, makeQuotaFault } from "../usage.ts";
import { changeFile } from "../write.ts";
import { presentPicture } from "./present.ts";
import { publishedFolder } from "./serve.ts";
import type { PictureBody } from "./schema.ts";

/** Returns 201 with the address of the copy. A picture that is already published keeps its address. */
export async function publishPicture(ctx: Context, { file_id }: PictureBody) {
  const { caller, deps } = ctx;
  const key = `${publishedFolder}${file_id}-${makeToken()}`;
  const [found, announced] = await writeBefore(ctx, [
    selectFileById(makeReader(ctx), file_id),
    announceStreamed(
      ctx,
      caller.companyId,
      key,
      sql`select 1 from files f where f.id in (${selectChangeableId(makeReader(ctx), file_id)})
        and f.picture_key is null and f.size <= ${mostPictureBytes}`,
    ),
  ]);
  const file = requireChangeable(ctx, found!.rows[0]);
  const answer = (published: string) => created(presentPicture(ctx, file.id, published));
  if (file.picture_key !== null) {
    return await commit(ctx, { statements: [], answer: answer(file.picture_key) });
  }
  if (file.size > mostPictureBytes) {
    throw invalid(fieldError("file_id", "max", `A picture has at most ${mostPictureBytes} bytes.`));
  }
  if (announced!.changes === 0) throw new Error("the announcement refuses a file that may be published");
  try {
    const { type, bytes } = await readPicture(ctx, file);
    await checkQuota(ctx, bytes.length);
    await deps.storage.put(key, bytes, type);
    return await commit(ctx, {
      statements: [
        ...takeStreamed(ctx, { key, type, size: bytes.length }),
        ...changeFile(file, { picture_key: key }),
        ...guardQuota(deps, caller.companyId),
      ],
      answer: answer(key),
    });
  } catch (error) {
    // If this fails too, the job removes the object. After a commit whose answer was lost, the object stays.
    await withdrawObjects(ctx, [key]).catch(() => {});
    throw error;
  }
}

/** Throws 422 for a file that the caller may not read, 403 for one that the caller may only read. */
function requireChangeable(ctx: Context, row: Row | undefined): FileFacts {
  if (!row || !mayRead(ctx.caller, readFileRow(row))) throw invalid(missingReference("file_id", "file"));
  return requireChangeableFile(ctx.caller, row);
}

/** Throws 422 when the copy has no room. */
async function checkQuota({ caller, deps }: Context, bytes: number): Promise<void> {
  if (deps.config.fileQuota === null) return;
  const [found] = await deps.db.read([sql`select ${fitsQuota(deps, caller.companyId, bytes)} as fits`]);
  if (found!.rows[0]!.fits !== 1) throw invalid(makeQuotaFault(deps, "file_id"));
}

/** Reads and cleans the picture. Throws 422 for other content than a picture. */
async function readPicture({ deps }: Context, { object_key }: FileFacts): Promise<NewObject> {
  const stored = await deps.storage.get(object_key);
  if (stored === null) throw notFound("The content of this file is missing.");
  const bytes = new Uint8Array(await new Response(stored.body).arrayBuffer());
  return (await checkPictures({ file_id: { bytes } }, {})).file_id;
}

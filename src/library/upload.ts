/** Stores the file of a streamed form, for verbs that make a file of it. */
import { writeBefore } from "../db/commit.ts";
import type { Context } from "../db/context.ts";
import { announceStreamed, retractObjects, takeStreamed, withdrawObjects } from "../db/objects.ts";
import type { IncomingFile } from "../http/incoming_file.ts";
import type { Result, Statement } from "../platform/database/database.ts";
import { type ContentColumns, contentKey } from "./content.ts";
import { mediaOf, otherMedia } from "./media.ts";

export interface UploadPlan {
  /** What the verb decides on. Read in the round trip that announces the object. */
  readonly reads: readonly Statement[];
  /** A select with a row when the file may be stored, as far as SQL can decide: nothing is written otherwise. */
  readonly when: Statement;
  /** Throws to refuse before anything is stored. */
  readonly check: (results: readonly Result[]) => void;
  /** Throws 422 for the name of the file. */
  readonly checkName: (name: string) => void;
}

export interface ReceivedUpload {
  readonly name: string;
  readonly columns: ContentColumns;
  /** Takes the object: part of the commit. */
  readonly taken: readonly Statement[];
  /** Of `reads`. */
  readonly results: readonly Result[];
}

/**
 * Announces an object, stores the file in it as it arrives, and returns what the commit needs. A verb that runs again
 * after a change by others gets the file that is stored already, with new results. What is stored is removed when the
 * request fails.
 */
export async function receiveUpload(
  ctx: Context,
  incoming: IncomingFile,
  { reads, when, check, checkName }: UploadPlan,
): Promise<ReceivedUpload> {
  const { deps, caller } = ctx;
  const again = incoming.isReceived;
  const key = contentKey();
  const announcement = announceStreamed(ctx, caller.companyId, key, when);
  const results = again ? await deps.db.read(reads) : await writeBefore(ctx, [...reads, announcement]);
  const announced = again ? 0 : results.at(-1)!.changes;
  try {
    check(results.slice(0, reads.length));
    if (!again && announced === 0) throw new Error("`when` refuses an upload that `check` allows");
  } catch (error) {
    if (announced > 0) await deps.db.write([retractObjects(ctx, [{ key }])]);
    throw error;
  }
  const { name, size, digest, head, stored } = await incoming.receive({
    async store(name, bytes) {
      checkName(name);
      await deps.storage.putStream(key, bytes, otherMedia);
      return key;
    },
    undo: () => withdrawObjects({ deps, now: ctx.now }, [key]),
  });
  const media = mediaOf(head);
  return {
    name,
    columns: { size, digest, media, object_key: stored },
    taken: takeStreamed(ctx, { key: stored, type: media, size }),
    results: results.slice(0, reads.length),
  };
}

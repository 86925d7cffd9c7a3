/** Stores the file of a streamed form, for verbs that create a file from it. */
import { writeBefore } from "../db/commit.ts";
import type { Context } from "../db/context.ts";
import { announceStreamed, retractObjects, takeStreamed, withdrawObjects } from "../db/objects.ts";
import type { FormFields, IncomingFile } from "../http/incoming_file.ts";
import { sql } from "../db/statements.ts";
import type { Result, Statement } from "../platform/database/database.ts";
import { type ContentColumns, makeContentKey } from "./content.ts";
import { detectMediaType, otherMedia } from "./media.ts";

export interface UploadPlan {
  /** Reads what the verb needs for its decision, in the round trip that announces the object. */
  readonly reads: readonly Statement[];
  /**
   * A select that has a row if the file may be stored, as far as SQL can decide. Without one, nothing is
   * written before `check` and `checkFields` allow it.
   */
  readonly when: Statement;
  /** Throws to refuse before anything is stored. */
  readonly check: (results: readonly Result[]) => void;
  /** Throws 422 when the name of the file is not allowed. */
  readonly checkName: (name: string) => void;
  /** Throws to refuse the file because of the fields of the form that came before it. */
  readonly checkFields?: (fields: FormFields) => Promise<void>;
}

export interface ReceivedUpload {
  readonly name: string;
  /** The text fields of the form. */
  readonly fields: FormFields;
  readonly columns: ContentColumns;
  /** Statements of the commit that take the object. */
  readonly taken: readonly Statement[];
  /** The results of `reads`. */
  readonly results: readonly Result[];
}

/**
 * Announces an object, stores the file in it as it arrives, and returns what the commit needs. A verb that
 * runs again after a conflict gets the file that is already stored, with new results. If the request fails,
 * the stored object is removed.
 */
export async function receiveUpload(
  ctx: Context,
  incoming: IncomingFile,
  { reads, when, check, checkName, checkFields }: UploadPlan,
): Promise<ReceivedUpload> {
  const { deps, caller } = ctx;
  const again = incoming.isReceived;
  const key = makeContentKey();
  const announcement = announceStreamed(ctx, caller.companyId, key, when);
  const results = again ? await deps.db.read(reads) : await writeBefore(ctx, [...reads, announcement]);
  const announced = again ? 0 : results.at(-1)!.changes;
  try {
    check(results.slice(0, reads.length));
  } catch (error) {
    if (announced > 0) await deps.db.write([retractObjects(ctx, [{ key }])]);
    throw error;
  }
  const { name, size, digest, head, fields, stored } = await incoming.receive({
    async store(name, bytes, before) {
      await checkFields?.(before);
      checkName(name);
      if (announced === 0) await deps.db.write([announceStreamed(ctx, caller.companyId, key, sql`select 1`)]);
      await deps.storage.putStream(key, bytes, otherMedia);
      return key;
    },
    undo: () => withdrawObjects({ deps, now: ctx.now }, [key]),
  });
  const media = detectMediaType(head);
  return {
    name,
    fields,
    columns: { size, digest, media, object_key: stored },
    taken: takeStreamed(ctx, { key: stored, type: media, size }),
    results: results.slice(0, reads.length),
  };
}

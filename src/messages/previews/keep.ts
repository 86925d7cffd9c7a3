/** Keeps what is shown by a link without a token, as long as the link works. */
import { rateLimited, Stale } from "../../core/errors.ts";
import { makeToken } from "../../core/ids.ts";
import { writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceForMoment, keptTooMuch, type NewObject, selectFirstToGo } from "../../db/objects.ts";
import type { Attempts } from "../../identity/attempts/attempts.ts";

/** The prefix of the storage keys of previews. */
export const previewFolder = "previews/";

/**
 * Stores the content and counts it; returns its address. Throws 429 when the company keeps as many bytes as it may,
 * until the first of them have gone.
 */
export async function keepPreview(
  ctx: Context,
  attempts: Attempts,
  { type, bytes }: Pick<NewObject, "type" | "bytes">,
): Promise<string> {
  const { deps, caller, now } = ctx;
  const preview = { key: `${previewFolder}${makeToken()}`, type, bytes };
  const announcement = announceForMoment(ctx, caller.companyId, preview);
  try {
    await writeBefore(ctx, [attempts.guard, attempts.count, ...announcement]);
  } catch (error) {
    if (!(error instanceof Stale) || error.what !== keptTooMuch) throw error;
    const [found] = await deps.db.read([selectFirstToGo(caller.companyId, now)]);
    const until = Number(found!.rows[0]?.until ?? now);
    throw rateLimited("The company keeps as many previews as it may", (until - now) / 1_000);
  }
  await deps.storage.put(preview.key, preview.bytes, preview.type);
  return `${ctx.origin}/${preview.key}`;
}

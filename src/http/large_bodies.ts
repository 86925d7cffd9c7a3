/** Large bodies take turns: reading, parsing and processing one takes several times its size in memory. */
import { Problem } from "../core/errors.ts";
import { FairQueue, QueueFull } from "../platform/fair_queue.ts";

/** Bytes above which a body waits for a turn. */
export const large = 2 * 1024 * 1024;

/** Keeps turns for other companies while the bodies of one company arrive slowly. */
const turns = new FairQueue({ atOnce: 6, perOrigin: 4, waiting: 200 });

/**
 * Waits for a turn of the company if the request may have a large body. Returns a function that ends the
 * turn, or null if none is needed. Throws 503 while too many requests wait.
 */
export async function waitForTurn(
  { headers }: Request,
  limit: number,
  companyId: number | null,
): Promise<(() => void) | null> {
  const declared = headers.get("content-length");
  if (limit <= large || (declared !== null && Number(declared) <= large)) return null;
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  turns.run(String(companyId), () => {
    begun.resolve();
    return ended.promise;
  }).catch(begun.reject);
  try {
    await begun.promise;
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw new Problem(503, "unavailable", "Too many large requests at once; try again.", {
      headers: { "Retry-After": "1" },
    });
  }
  return ended.resolve;
}

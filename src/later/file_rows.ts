/** Rows whose tasks write a file: which are in hand, and what becomes of one that could not be written. */
import { longestRetry, planRetry, type Retry, type RetryClock } from "../core/retries.ts";
import { parseTimestamp } from "../core/time.ts";
import { sql } from "../db/statements.ts";
import { type Database, DatabaseUnavailable, TookTooLong } from "../platform/database/database.ts";
import { isOutage, type Rows, type RowTask } from "./rows.ts";

/** Files that are written at the same time. */
const atOnce = 2;
/** The most attempts to write a file. */
const mostAttempts = 5;
/** Milliseconds until a file that found an outage is tried again. The attempt does not count. */
const outageMs = 5 * 60_000;
/** Milliseconds for which a file waits for the end of an outage: longer than one of a whole day. */
const outagePatience = 2 * 24 * 60 * 60_000;

/** How a claim marks its rows. A writer that is too slow shows nobody anything. */
export const fileRows = {
  marks: sql`status = 'running'`,
  unmarks: sql`status = 'pending'`,
  everywhere: { most: atOnce, isInHand: sql`status = 'running'` },
  longestWait: longestRetry,
  rate: 0,
  attemptMs: 0,
  mayRepeat: true,
} as const satisfies Partial<Rows>;

/** Throws when too many attempts were begun: a file that ends each process would be begun again and again. */
export function checkAttempts({ attempts }: RowTask): void {
  if (attempts > mostAttempts) throw new Error("the process ended during each attempt");
}

/**
 * Returns what an attempt failed for. A read that was late may have been so because a remote database hangs or is away:
 * then the shortest read is late, too, and the file is not at fault.
 */
export async function findCause(db: Database, error: unknown): Promise<unknown> {
  if (!(error instanceof TookTooLong)) return error;
  try {
    await db.read([sql`select 1`]);
    return error;
  } catch (cause) {
    return new DatabaseUnavailable("the database did not answer", { cause });
  }
}

/** Plans the next attempt to write a file; null: it has failed. `created_at`: when the file was asked for. */
export function planFile(
  error: unknown,
  { attempts, created_at }: RowTask & { readonly created_at: string },
  clock: RetryClock,
): Retry | null {
  const now = clock.now();
  if (isOutage(error) && now < parseTimestamp(created_at)! + outagePatience) {
    return { due: now + outageMs, counts: false };
  }
  return planRetry(attempts, clock, { most: mostAttempts });
}

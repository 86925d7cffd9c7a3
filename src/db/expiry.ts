/** Deletes expired rows, in steps that hold the write lock for a few milliseconds each. */
import type { Database, Statement } from "../platform/database/database.ts";
import { bounded, identifier, sql } from "./statements.ts";

/** Rows that one step deletes. */
export const stepRows = 500;
/** Most steps of one run; the next run continues. */
const mostSteps = 200;

/**
 * Repeats the batch, at most `mostSteps` times, until its last statement changes fewer than `rows` rows.
 * Returns the number of rows that the last statement changed in all steps.
 */
export async function inSteps(
  db: Database,
  batch: readonly Statement[],
  rows = stepRows,
): Promise<number> {
  let removed = 0;
  for (let step = 0; step < mostSteps; step++) {
    const results = await db.write(batch);
    const { changes } = results.at(-1)!;
    removed += changes;
    if (changes < rows) break;
  }
  return removed;
}

/**
 * Deletes idempotency keys, tokens, codes, sessions and the like that have expired at `now` (epoch
 * milliseconds). Returns the number of rows.
 */
export async function removeExpired(deps: { readonly db: Database }, now: number): Promise<number> {
  let removed = 0;
  for (const [table, column, rows = stepRows] of expiring) {
    const [from, end] = [identifier(table), identifier(column)];
    const step = sql`delete from ${from} where rowid in (select rowid from ${from} where ${end} <= ${now}
      limit ${bounded(rows)})`;
    removed += await inSteps(deps.db, [step], rows);
  }
  return removed;
}

/** Tables with the column of their end, and for tables with large rows the number of rows of a step. */
const expiring: readonly (readonly [table: string, column: string, rows?: number])[] = [
  ["idempotency_keys", "expires_at"],
  ["access_tokens", "expires_at"],
  ["refresh_tokens", "expires_at"],
  ["authorization_codes", "kept_until"],
  ["sessions", "expires_at"],
  ["sign_ons", "expires_at"],
  ["device_codes", "kept_until"],
  ["password_resets", "expires_at"],
  ["invitations", "expires_at"],
  ["mails", "expires_at"],
  ["report_charts", "expires_at", 20],
  ["attempts", "until"],
  ["leases", "until"],
  // A record past its `due_at` was retried since, or is gone.
  ["set_aside", "due_at"],
];

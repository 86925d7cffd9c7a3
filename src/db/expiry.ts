/** Lifetimes of rows. Those that have ended are deleted in steps that hold the write lock for a few milliseconds each. */
import type { Database, Statement } from "../platform/database/database.ts";
import { bindRows, identifier, sql } from "./statements.ts";

/** Rows that one step deletes. */
export const stepRows = 500;
/** Most steps of one run; the next run continues. */
const mostSteps = 200;

/**
 * Repeats the batch, at most `mostSteps` times, until its last statement changes fewer than `rows` rows.
 * Returns the number of rows that the last statement changed in all steps.
 */
export async function runInSteps(
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

/** Rows that end by themselves. Each feature contributes those of its tables. */
export interface Lifetime {
  readonly table: string;
  /** Columns of epoch milliseconds that count together. The first is the end, and has an index. */
  readonly columns: readonly [end: string, ...others: string[]];
  /** The furthest end that a clock can have written, in milliseconds. Absent: a wrong end does no harm. */
  readonly longest?: {
    readonly ms: number;
    /** `now`: rows that change later have that end, and those that wait have `never`. */
    readonly from: "created_at" | "now";
  };
  /** The rows that one step deletes when they have ended. Absent: the feature removes them itself. */
  readonly step?: number;
}

/** Deletes rows that have ended at `now` (epoch milliseconds). Returns their number. */
export async function removeExpired(
  deps: { readonly db: Database },
  now: number,
  lifetimes: readonly Lifetime[],
): Promise<number> {
  let removed = 0;
  for (const { table, columns, step: rows } of lifetimes) {
    if (rows === undefined) continue;
    const [from, end] = [identifier(table), identifier(columns[0])];
    const step = sql`delete from ${from} where rowid in (select rowid from ${from} where ${end} <= ${now}
      limit ${bindRows(rows)})`;
    removed += await runInSteps(deps.db, [step], rows);
  }
  return removed;
}

/** Serialises the records of large pages without holding up other calls. */
import { pageBudget } from "../core/budgets.ts";
import { Problem } from "../core/errors.ts";
import { type Json, toJson } from "../core/json.ts";
import { FairQueue, QueueFull } from "../platform/fair_queue.ts";

/** Characters and milliseconds after which serialising pauses, so that other calls run. */
const stretch = 1024 * 1024;
const longest = 5;

/**
 * Serialises pages of more than one stretch one after the other. If they ran simultaneously, other calls
 * would wait for a stretch of each, and the records of all pages would be in memory. Companies take turns.
 */
const large = new FairQueue({ atOnce: 1, waiting: 20 });

/**
 * Returns the rows that fit into a page, as records. Throws 503 while too many large pages wait, first for
 * the company with the most of them. `company` is null for a caller without one.
 */
export async function presentRecords<R extends object, T>(
  company: number | null,
  rows: readonly R[],
  present: (row: R) => T | Json<T>,
): Promise<Json<T>[]> {
  const page: Page<R, T> = { rows, present, written: [], size: 0 };
  // The size of the read rows, without the parts that many records share.
  let read = 0;
  for (const row of rows) {
    for (const value of Object.values(row)) if (typeof value === "string") read += value.length;
  }
  // Pages requested together have all been read by now. A large one lets the others go first.
  if (read > stretch || !writeStretch(page)) await inLine(company, () => finish(page));
  return page.written;
}

async function finish<R, T>(page: Page<R, T>): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve)); while (!writeStretch(page));
}

async function inLine(company: number | null, write: () => Promise<void>): Promise<void> {
  try {
    await large.run(String(company ?? ""), write);
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw new Problem(
      503,
      "unavailable",
      "Too many large pages at once. Try again, or ask for shorter ones.",
      {
        headers: { "Retry-After": "1" },
      },
    );
  }
}

/** A page that is being serialised. */
interface Page<R, T> {
  readonly rows: readonly R[];
  readonly present: (row: R) => T | Json<T>;
  readonly written: Json<T>[];
  /** Characters of `written`. */
  size: number;
}

/** Serialises a stretch. Returns true when the page is complete. */
function writeStretch<R, T>(page: Page<R, T>): boolean {
  const { rows, present, written } = page;
  const until = page.size + stretch;
  const end = performance.now() + longest;
  while (written.length < rows.length && page.size <= until) {
    if (performance.now() > end) return false;
    const record = toJson(present(rows[written.length]!));
    page.size += record.length;
    if (page.size > pageBudget && written.length > 0) return true;
    written.push(record);
  }
  return written.length === rows.length;
}

/** Writes the records of pages, of which some are large, beside other calls. */
import { pageBudget } from "../core/budgets.ts";
import { Problem } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { Row } from "../platform/database/database.ts";
import { FairQueue, QueueFull } from "../platform/fair_queue.ts";

/** Characters that are written at a time: others are served in between. */
const stretch = 1024 * 1024;

/**
 * Pages of more than a stretch are written one after the other. Together, each would write a stretch between two
 * calls of others, and all their records would be in memory.
 */
const large = new FairQueue({ atOnce: 1, waiting: 20 });

/** The rows as records, as many as fit into a page. 503 while too many large pages wait. */
export async function writtenRecords<T>(
  rows: readonly Row[],
  present: (row: Row) => Json<T>,
): Promise<Json<T>[]> {
  const writing = new Writing(rows, present);
  // Pages that are asked for together are all read by now: one that is large lets the others pass.
  if (isLarge(rows) || !writing.goOn()) await inLine(() => finish(writing));
  return writing.written;
}

/** By what was read, without the parts that many records have in common. */
function isLarge(rows: readonly Row[]): boolean {
  let size = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === "string") size += value.length;
    }
    if (size > stretch) return true;
  }
  return false;
}

async function finish<T>(writing: Writing<T>): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve)); while (!writing.goOn());
}

async function inLine(write: () => Promise<void>): Promise<void> {
  try {
    await large.run("", write);
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

class Writing<T> {
  readonly written: Json<T>[] = [];
  #next = 0;
  #size = 0;

  constructor(readonly rows: readonly Row[], readonly present: (row: Row) => Json<T>) {}

  /** Writes a stretch; true when the page is whole. */
  goOn(): boolean {
    const until = this.#size + stretch;
    while (this.#next < this.rows.length && this.#size <= until) {
      const record = this.present(this.rows[this.#next]!);
      this.#size += record.text.length;
      if (this.#size > pageBudget && this.written.length > 0) return true;
      this.written.push(record);
      this.#next++;
    }
    return this.#next === this.rows.length;
  }
}

/** Serialises the records of large pages without holding up other calls. */
import { pageBudget } from "../core/budgets.ts";
import { Problem } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { Row } from "../platform/database/database.ts";
import { FairQueue, QueueFull } from "../platform/fair_queue.ts";

/** Characters that are serialised at a time. Other calls run in between. */
const stretch = 1024 * 1024;

/**
 * Serialises pages of more than one stretch one after the other. Simultaneously, each would take a stretch
 * between two other calls, and all their records would be in memory.
 */
const large = new FairQueue({ atOnce: 1, waiting: 20 });

/** Returns as many rows as fit into a page, as records. Throws 503 while too many large pages wait. */
export async function writtenRecords<T>(
  rows: readonly Row[],
  present: (row: Row) => Json<T>,
): Promise<Json<T>[]> {
  const writing = new Writing(rows, present);
  // Simultaneous pages have all been read by now; a large one lets the others go first.
  if (isLarge(rows) || !writing.goOn()) await inLine(() => finish(writing));
  return writing.written;
}

/** The size of the read rows, without the parts that many records share. */
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

  /** Serialises a stretch. Returns true when the page is complete. */
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

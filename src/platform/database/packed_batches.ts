/** Write batches and their results in the form in which they cross threads. */
import type { Result, Row, Statement, Value } from "./database.ts";

/**
 * A batch as flat lists with each text once. A message is copied text by text and object by object, while the
 * hundreds of statements of a large batch have few different texts.
 */
export interface PackedBatch {
  readonly texts: readonly string[];
  /** Of each statement the place of its text. */
  readonly places: readonly number[];
  /** Of each statement the number of its values. */
  readonly counts: readonly number[];
  /** The values of all statements. */
  readonly args: readonly Value[];
  /** The statements that are late, by their index. */
  readonly late: readonly number[];
}

/** Keeps what the thread needs to run the batch: neither refusals nor what else its caller knows of it. */
export function packBatch(batch: readonly Statement[]): PackedBatch {
  const texts = new Map<string, number>();
  const places: number[] = [];
  const counts: number[] = [];
  const args: Value[] = [];
  const late: number[] = [];
  for (const [index, statement] of batch.entries()) {
    const place = texts.get(statement.sql) ?? texts.size;
    texts.set(statement.sql, place);
    places.push(place);
    counts.push(statement.args.length);
    for (const value of statement.args) args.push(value);
    if (statement.late) late.push(index);
  }
  return { texts: [...texts.keys()], places, counts, args, late };
}

/** The statements of a packed batch, in their order. */
export function unpackBatch({ texts, places, counts, args, late }: PackedBatch): Statement[] {
  const isLate = new Set(late);
  let next = 0;
  return places.map((place, index) => {
    const from = next;
    next += counts[index]!;
    const statement = { sql: texts[place]!, args: args.slice(from, next) };
    return isLate.has(index) ? { ...statement, late: true } : statement;
  });
}

/** The results of a batch. Most statements of a large batch return no row. */
export interface PackedResults {
  readonly changes: readonly number[];
  /** The rows of the statements that return some, by their index. */
  readonly rows: readonly (readonly [index: number, rows: Row[]])[];
  /** Milliseconds for which the statements ran. */
  readonly ms: number;
}

/** Packs the results of a batch that took `ms` milliseconds; results without rows take no place. */
export function packResults(results: readonly Result[], ms: number): PackedResults {
  return {
    ms,
    changes: results.map(({ changes }) => changes),
    rows: results.flatMap(({ rows }, index) => rows.length > 0 ? [[index, rows] as const] : []),
  };
}

/** The results of a batch, one of each statement. */
export function unpackResults({ changes, rows }: PackedResults): Result[] {
  const found = new Map(rows);
  return changes.map((each, index) => ({ rows: found.get(index) ?? [], changes: each }));
}

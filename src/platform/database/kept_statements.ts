import type { DatabaseSync, StatementSync } from "node:sqlite";
import { bindValue, ReadTooMuch, type Result, type Row, type Statement, type Value } from "./database.ts";

/**
 * Runs statements on one connection and keeps them prepared by their text.
 *
 * Works around: node:sqlite prepares a text again with each `prepare`, and its rows are slow objects without a
 * prototype.
 * True for: Deno 2.9.6.
 * Remove when: its own store of statements makes plain objects, and keeps as many texts.
 */
export interface KeptStatements {
  /** Runs a statement. The mode `read` refuses one that writes; `write` is the default. */
  run(statement: Statement, mode?: "read" | "write"): Result;
}

/**
 * `limit`: number of statements to keep; the least recently used is dropped. `rewrite` returns the text to
 * prepare.
 */
export function keepStatements(
  connection: DatabaseSync,
  limit: number,
  rewrite: (sql: string) => string = (sql) => sql,
): KeptStatements {
  const kept = new Map<string, Prepared>();

  return {
    run({ sql, args }, mode = "write") {
      const known = kept.get(sql);
      const prepared = known ?? prepare(connection, rewrite(sql));
      if (known ? kept.size >= limit / 2 : sql.length <= longestKept && !hasStar.test(sql)) {
        // Moves the statement to the end, so that the least recently used one is the first.
        kept.delete(sql);
        kept.set(sql, prepared);
        if (kept.size > limit) kept.delete(kept.keys().next().value ?? sql);
      }
      const { statement, names, writes, countsChanges } = prepared;
      if (writes && mode === "read") throw new TypeError(`a read may not write: ${sql}`);
      const values = args.map(bindValue);
      if (names.length === 0) {
        const { changes } = statement.run(...values);
        return { rows: [], changes: countsChanges ? Number(changes) : 0 };
      }
      if (prepared.runs++ === 1) prepared.toRow = makeLiteralReader(names);
      const toRow = prepared.toRow ?? ((values) => makeRowFromEntries(names, values));
      const found: unknown = statement.all(...values);
      const rows = (found as Value[][]).map((each) => toRow(each));
      return { rows, changes: writes ? rows.length : 0 };
    },
  };
}

/**
 * Reads from one snapshot. `before` runs before each statement and may throw. Throws `ReadTooMuch` after the
 * statement with which the rows have more than `most` characters.
 */
export function readTogether(
  statements: KeptStatements,
  batch: readonly Statement[],
  { before, most }: { readonly before?: () => void; readonly most?: number | undefined } = {},
): Result[] {
  // Nothing else of this thread runs in between, and the transaction excludes other connections.
  const isTransaction = batch.length > 1;
  if (isTransaction) statements.run(begin);
  try {
    const results: Result[] = [];
    let size = 0;
    for (const statement of batch) {
      before?.();
      const result = statements.run(statement, "read");
      results.push(result);
      if (most === undefined) continue;
      size += measureRows(result);
      if (size > most) throw new ReadTooMuch();
    }
    return results;
  } finally {
    if (isTransaction) statements.run(commit);
  }
}

/** Characters of the texts of all rows; each other value counts as eight. */
function measureRows({ rows }: Result): number {
  let size = 0;
  for (const row of rows) {
    for (const value of Object.values(row)) size += typeof value === "string" ? value.length : 8;
  }
  return size;
}

const begin = { sql: "begin", args: [] };
const commit = { sql: "commit", args: [] };

/** Characters. A longer text was made for one call, and its statement may take megabytes. */
const longestKept = 40_000;

/** The columns of `*` depend on the schema, which another process may change, so such a text is not kept. */
const hasStar = /(?:\bselect|\breturning|,|\.)\s*\*/i;

interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
  readonly writes: boolean;
  readonly countsChanges: boolean;
  runs: number;
  /** Makes a row of its values; null until the second run of the statement. */
  toRow: ((values: readonly Value[]) => Row) | null;
}

function prepare(connection: DatabaseSync, sql: string): Prepared {
  const statement = connection.prepare(sql);
  // Arrays and our own objects are a third faster than the driver's objects, which have no prototype.
  statement.setReturnArrays(true);
  const names = statement.columns().map((column) => String(column.name));
  const writes = names.length === 0 || /\breturning\b/i.test(sql);
  const countsChanges = writes && !/^\s*(?:create|drop|alter|pragma|analyze|reindex)\b/i.test(sql);
  return { statement, names, writes, countsChanges, runs: 0, toRow: null };
}

/**
 * Returns a function that makes a row by an object literal. V8 turns an object with more than a dozen
 * properties of computed names into a hash table, which is several times slower to read: pages of 15 contacts
 * took a quarter longer.
 */
function makeLiteralReader(names: readonly string[]): (values: readonly Value[]) => Row {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${members.join(", ")} };`) as (values: readonly Value[]) => Row;
}

function makeRowFromEntries(names: readonly string[], values: readonly Value[]): Row {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
}

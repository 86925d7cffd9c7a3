import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Result, Row, Statement, Value } from "./database.ts";
import { bound } from "./sqlite.ts";

/** Runs statements on one connection, keeping them prepared by their text. */
export interface KeptStatements {
  run(statement: Statement): Result;
  /** Like `run`, for a statement that only reads; refuses any other. */
  query(statement: Statement): Result;
}

/** `limit`: how many are kept; the one not used for longest goes first. */
export function keepStatements(connection: DatabaseSync, limit: number): KeptStatements {
  const kept = new Map<string, Kept>();

  function take(sql: string): Kept {
    let found = kept.get(sql);
    if (found) kept.delete(sql);
    else found = prepare(connection, sql);
    kept.set(sql, found);
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? sql);
    return found;
  }

  return {
    run: (statement) => execute(take(statement.sql), statement.args),
    query(statement) {
      const found = take(statement.sql);
      if (found.writes) throw new TypeError(`a read may not write: ${statement.sql}`);
      return execute(found, statement.args);
    },
  };
}

interface Kept {
  readonly prepared: StatementSync;
  /** Column names; null when a `*` leaves them to the schema, which another process may change. */
  readonly names: readonly string[] | null;
  readonly writes: boolean;
  readonly countsChanges: boolean;
}

function prepare(connection: DatabaseSync, sql: string): Kept {
  const prepared = connection.prepare(sql);
  // Arrays and our own objects are a third faster than the driver's, which have no prototype.
  prepared.setReturnArrays(true);
  const names = namesOf(prepared);
  const writes = names.length === 0 || /\breturning\b/i.test(sql);
  return {
    prepared,
    names: /(?:\bselect|\breturning|,|\.)\s*\*/i.test(sql) ? null : names,
    writes,
    countsChanges: writes && !/^\s*(?:create|drop|alter|pragma|analyze|reindex)\b/i.test(sql),
  };
}

function execute(kept: Kept, args: readonly Value[]): Result {
  const values = args.map(bound);
  if (kept.writes && kept.names?.length === 0) {
    const { changes } = kept.prepared.run(...values);
    return { rows: [], changes: kept.countsChanges ? Number(changes) : 0 };
  }
  const found: unknown = kept.prepared.all(...values);
  const rows = toRows(found as Value[][], kept.names ?? namesOf(kept.prepared));
  return { rows, changes: kept.writes ? rows.length : 0 };
}

function namesOf(prepared: StatementSync): string[] {
  return prepared.columns().map((column) => String(column.name));
}

function toRows(found: readonly Value[][], names: readonly string[]): Row[] {
  return found.map((values) => {
    const row: Row = {};
    for (let i = 0; i < names.length; i++) row[names[i] ?? ""] = values[i] ?? null;
    return row;
  });
}

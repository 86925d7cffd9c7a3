import { DatabaseSync } from "node:sqlite";
import type { Result, Statement } from "./database.ts";
import type { KeptStatements } from "./kept_statements.ts";

/**
 * Milliseconds that a call may stop the whole process while another process holds the lock: a commit is
 * shorter than that. Whoever is still locked out then waits without stopping anybody.
 */
export const busyTimeout = 20;

/**
 * Pages of 4 KiB in the write-ahead log from which on a commit also moves them into the file. Pages that change
 * often are moved once for many commits; SQLite's own 1,000 would do it every five commits under load.
 */
const logPages = 4_000;

/** Every connection is durable at each commit, keeps foreign keys, and holds 64 MB of pages. */
export const settings = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma cache_size = -65536;
  pragma temp_store = memory;
  pragma journal_size_limit = 67108864;
  pragma wal_autocheckpoint = ${logPages};
  pragma busy_timeout = ${busyTimeout};
`;

/** A connection that reads and writes; the file is made when it is not there. */
export function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 5000 });
  connection.exec(settings);
  dropHistograms(connection);
  return connection;
}

/**
 * A connection that never writes, to a file that another one has opened. It reads pages where the system keeps
 * them: SQLite's own caches of all connections have one lock, and two threads that read thousands of rows each
 * were no faster than one. Two gigabytes are the most that it maps; what is beyond is read as ever.
 */
export function connectReader(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: busyTimeout });
  connection.exec(`
    pragma cache_size = -65536;
    pragma temp_store = memory;
    pragma mmap_size = ${2 ** 31};
  `);
  return connection;
}

/**
 * Where somebody ran a full `analyze`, SQLite plans each statement again for every value that is bound: a read
 * then takes five times as long. The plain statistics of the same run stay.
 */
function dropHistograms(connection: DatabaseSync): void {
  const table = connection.prepare("select 1 from sqlite_schema where name = 'sqlite_stat4'").get();
  if (!table || !connection.prepare("select 1 from sqlite_stat4").get()) return;
  connection.exec("delete from sqlite_stat4; analyze sqlite_schema");
}

/** Reads against one state of the database. `before` runs before each statement, and may throw. */
export function readTogether(
  statements: KeptStatements,
  batch: readonly Statement[],
  before: () => void = () => {},
): Result[] {
  const query = (statement: Statement): Result => {
    before();
    return statements.query(statement);
  };
  // Nothing else of this thread runs in between; a transaction keeps other connections out.
  if (batch.length < 2) return batch.map(query);
  statements.run(begin);
  try {
    return batch.map(query);
  } finally {
    statements.run(commit);
  }
}

const begin = { sql: "begin", args: [] };
const commit = { sql: "commit", args: [] };

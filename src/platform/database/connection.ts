import { DatabaseSync } from "node:sqlite";

/**
 * Milliseconds that a call may block the process while another process holds the lock; a commit is shorter.
 * After that the call waits without blocking others.
 */
export const busyTimeout = 20;

/**
 * Pages of 4 KiB in the write-ahead log that trigger a checkpoint. Pages that change often are then moved
 * once for many commits; SQLite's default of 1,000 would do it every five commits under load.
 */
const logPages = 4_000;

/**
 * Every connection syncs at each commit, checks foreign keys and caches 16 MB of pages. With 64 MB an import of many
 * rows was a twentieth slower and reads a fiftieth quicker at most: the system has the pages, too. A connection that
 * writes fills its cache, and the process keeps what the cache has taken. Every connection overwrites what it deletes,
 * so that neither the file nor a backup keeps deleted data in free pages. That costs no measurable time: deleted rows
 * are in pages that the commit writes anyway.
 */
export const settings = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma cache_size = -16384;
  pragma temp_store = memory;
  pragma journal_size_limit = 67108864;
  pragma wal_autocheckpoint = ${logPages};
  pragma busy_timeout = ${busyTimeout};
`;

/** Opens a connection that reads and writes. Creates the file if needed. */
export function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 5000 });
  connection.exec(settings);
  dropHistograms(connection);
  return connection;
}

/**
 * Opens a read-only connection to a file that is already open. It reads pages from the system's cache by
 * memory mapping, because SQLite's caches share one lock: two threads that read thousands of rows were no
 * faster than one. Maps at most two gigabytes; the rest is read normally.
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
 * After a full `analyze` SQLite plans each statement again for every bound value, which makes reads five
 * times slower. Drops these histograms and keeps the plain statistics.
 *
 * Works around: SQLite with `sqlite_stat4`, as Deno builds it.
 * True for: Deno 2.9.6.
 * Remove when: a bound statement is prepared once, also beside histograms.
 */
function dropHistograms(connection: DatabaseSync): void {
  const table = connection.prepare("select 1 from sqlite_schema where name = 'sqlite_stat4'").get();
  if (!table || !connection.prepare("select 1 from sqlite_stat4").get()) return;
  connection.exec("delete from sqlite_stat4; analyze sqlite_schema");
}

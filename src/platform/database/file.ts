import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { Database, Result, Statement, Value } from "./database.ts";
import { groupCommits } from "./group_commit.ts";
import { keepStatements, type KeptStatements } from "./kept_statements.ts";
import { whileBusy } from "./patience.ts";

export interface FileOptions {
  /** Milliseconds until a call that is locked out by another process gives up; 10,000 unless told. */
  readonly patience?: number;
  /** How many statements are kept prepared; 500 unless told. */
  readonly kept?: number;
}

/** A database in a file, driven by the SQLite that Deno brings along. */
export interface FileDatabase extends Database {
  /** The settings of the connection that promise durability, integrity and speed, by name. */
  pragmas(): Record<string, Value>;
  /** How many commits the writes so far took: batches that came together share one. */
  commits(): number;
  /** Moves what is in the write-ahead log into the file, as far as no reader is in the way. */
  checkpoint(): void;
  /** Copies one state of the database to a new file, in a thread of its own, while this one serves. */
  backupTo(path: string): Promise<void>;
}

/** Opens the file, making it and its folder, for their owner's eyes only, when they are not there. */
export function openFile(path: string, options: FileOptions = {}): FileDatabase {
  const { patience = 10_000, kept = 500 } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite would make it for everybody to read; what it puts beside the file it makes alike.
  closeSync(openSync(path, "a", 0o600));
  const connection = connect(path);
  const statements = keepStatements(connection, kept);
  const group = groupCommits(connection, statements, patience);

  function readNow(batch: readonly Statement[]): Result[] {
    // Nothing else of this process runs in between; a transaction keeps other processes out.
    if (batch.length < 2) return batch.map(statements.query);
    connection.exec("begin");
    try {
      return batch.map(statements.query);
    } finally {
      connection.exec("commit");
    }
  }

  function scriptNow(sql: string): void {
    connection.exec(`pragma busy_timeout = ${patience}`);
    try {
      connection.exec(sql);
    } finally {
      if (connection.isTransaction) connection.exec("rollback");
      connection.exec(`pragma foreign_keys = on; pragma busy_timeout = ${busyTimeout}`);
    }
  }

  return {
    kind: "file",
    read: (batch) => whileBusy(patience, () => readNow(batch)),
    write: group.write,
    script: (sql) => whileBusy(0, () => scriptNow(sql)),
    stamp: () => Number(statements.query({ sql: "pragma data_version", args: [] }).rows[0]?.data_version),
    pragmas: () => pragmasOf(statements),
    commits: group.commits,
    checkpoint: () => connection.exec("pragma wal_checkpoint(passive)"),
    backupTo: (target) => copyFile(path, target),
    async close() {
      await group.idle();
      connection.exec("pragma wal_checkpoint(truncate)");
      connection.close();
    },
  };
}

/**
 * Milliseconds that a call may stop the whole process while another process holds the lock: a commit is
 * shorter than that. Whoever is still locked out then waits without stopping anybody.
 */
const busyTimeout = 20;

/** Every connection is durable at each commit, keeps foreign keys, and holds 64 MB of pages. */
function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 5000 });
  connection.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -65536;
    pragma temp_store = memory;
    pragma journal_size_limit = 67108864;
    pragma busy_timeout = ${busyTimeout};
  `);
  dropHistograms(connection);
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

const promised = [
  "journal_mode",
  "synchronous",
  "foreign_keys",
  "cache_size",
  "temp_store",
  "journal_size_limit",
  "busy_timeout",
];

function pragmasOf(statements: KeptStatements): Record<string, Value> {
  const rows = promised.map((name) => statements.query({ sql: `pragma ${name}`, args: [] }).rows[0] ?? {});
  // SQLite answers `busy_timeout` in a column called `timeout`.
  return Object.fromEntries(promised.map((name, i) => [name, Object.values(rows[i] ?? {})[0] ?? null]));
}

async function copyFile(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL("./backup_worker.ts", import.meta.url), {
      workerData: { from, to: partial },
    });
    worker.once("error", reject);
    worker.once("exit", (code) => code === 0 ? resolve() : reject(new Error(`the copy ended with ${code}`)));
  });
  renameSync(partial, to);
}

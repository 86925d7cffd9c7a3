import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { busyTimeout, connect, readTogether } from "./connection.ts";
import {
  type Aside,
  type Database,
  DatabaseUnavailable,
  readDeadline,
  type Statement,
  type Value,
} from "./database.ts";
import { keepStatements, type KeptStatements } from "./kept_statements.ts";
import { whileBusy } from "./retry.ts";
import { openReaders } from "./readers.ts";
import { noting, type Room } from "./room.ts";
import { meaningOf } from "./sqlite.ts";
import { openWriter } from "./writer.ts";

export interface FileOptions {
  /** Milliseconds until a call that is locked out by another process gives up; 10,000 unless told. */
  readonly patience?: number;
  /** Milliseconds that a read beside others may take; `readDeadline` unless given. */
  readonly deadline?: number;
  /** How many statements are kept prepared; 500 unless told. */
  readonly kept?: number;
  /** Commits of busy times after which a thread of its own writes; 25 unless told. */
  readonly busyCommits?: number;
  /** Milliseconds from which on a commit is one of a busy time; 20 unless told. */
  readonly longCommit?: number;
}

/** A database in a file, driven by the SQLite that Deno brings along. */
export interface FileDatabase extends Database {
  /** The settings of the connection that promise durability, integrity and speed, by name. */
  pragmas(): Record<string, Value>;
  /** How many commits were made in this thread: batches that came together share one. */
  commits(): number;
  /** Moves what is in the write-ahead log into the file, as far as no reader is in the way. */
  checkpoint(): void;
  /** Copies one state of the database to a new file, in a thread of its own, while this one serves. */
  backupTo(path: string): Promise<void>;
}

/** Opens the file, making it and its folder, for their owner's eyes only, when they are not there. */
export function openFile(path: string, options: FileOptions = {}): FileDatabase {
  const { patience = 10_000, deadline = readDeadline, kept = 500, busyCommits = 25, longCommit = 20 } =
    options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite would make it for everybody to read; what it puts beside the file it makes alike.
  closeSync(openSync(path, "a", 0o600));
  const connection = connect(path);
  const statements = keepStatements(connection, kept);
  const version = connection.prepare("pragma data_version");
  version.setReturnArrays(true);
  const writer = openWriter(path, connection, statements, { patience, kept, busyCommits, longCommit });
  const readers = openReaders(path, kept, deadline);
  const room: Room = { full: false };

  const readAside = (batch: readonly Statement[], aside: Aside) =>
    whileBusy(Math.min(patience, deadline), () => readers.read(batch, asideOf(batch) ?? aside));

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
    read(batch) {
      const aside = asideOf(batch);
      return aside ? readAside(batch, aside) : whileBusy(patience, () => readTogether(statements, batch));
    },
    readAside,
    write: (batch) => noting(room, writer.write(batch)),
    script: (sql) => whileBusy(0, () => scriptNow(sql)),
    stamp: () => Number(version.get()?.[0]),
    isFull: () => room.full,
    pragmas: () => pragmasOf(statements),
    commits: writer.commits,
    checkpoint: () => connection.exec("pragma wal_checkpoint(passive)"),
    backupTo: (target) => copyFile(path, target),
    async close() {
      await writer.close();
      await readers.close();
      emptyLog(connection);
      connection.close();
    },
  };
}

/** Moves the write-ahead log into the file. Without room it stays, and is read when the file is opened again. */
function emptyLog(connection: DatabaseSync): void {
  try {
    connection.exec("pragma wal_checkpoint(truncate)");
  } catch (error) {
    if (!(meaningOf(error) instanceof DatabaseUnavailable)) throw error;
  }
}

/** The greatest effort in the batch. */
function asideOf(batch: readonly Statement[]): Aside | null {
  let found: Aside | null = null;
  for (const { aside } of batch) {
    if (aside && found?.effort !== "scan") found = aside;
  }
  return found;
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
    worker.once("message", (fault: string) => {
      reject(new Error(`the copy of the database ended: ${fault}`));
      void worker.terminate();
    });
    worker.once("exit", (code) => code === 0 ? resolve() : reject(new Error(`the copy ended with ${code}`)));
  });
  renameSync(partial, to);
}

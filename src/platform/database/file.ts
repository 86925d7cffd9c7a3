import { closeSync, mkdirSync, openSync, renameSync, rmSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { busyTimeout, connect } from "./connection.ts";
import {
  type Database,
  DatabaseUnavailable,
  noting,
  type OnRan,
  readDeadline,
  type Refusals,
  type Result,
  type Statement,
  type Value,
} from "./database.ts";
import { groupCommits } from "./group_commit.ts";
import { keepStatements, type KeptStatements, readTogether } from "./kept_statements.ts";
import { whileBusy } from "./retry.ts";
import { openReaders } from "./readers.ts";
import { translateError } from "./sqlite.ts";
import { packBatch, type PackedBatch, type PackedResults, unpackResults } from "./packed_batches.ts";
import { startThread, type Thread } from "./thread.ts";

export interface FileOptions {
  /** Milliseconds after which a call gives up on a lock of another process; 10,000 by default. */
  readonly patience?: number;
  /** Milliseconds for a read in another thread; `readDeadline` by default. */
  readonly deadline?: number;
  /** Number of statements to keep prepared; 500 by default. */
  readonly kept?: number;
  /** Busy commits after which a separate thread writes; 25 by default. */
  readonly busyCommits?: number;
  /** Milliseconds from which a commit counts as busy; 20 by default. */
  readonly longCommit?: number;
}

/** A database in a file, with the SQLite that Deno includes. */
export interface FileDatabase extends Database {
  /** The connection's settings for durability, integrity and speed, by name. */
  pragmas(): Record<string, Value>;
  /** Number of commits in this thread. Simultaneous batches share one. */
  commits(): number;
  /** Checkpoints the write-ahead log as far as readers allow. */
  checkpoint(): void;
  /** Copies a snapshot of the database to a new file in a separate thread. */
  backupTo(path: string): Promise<void>;
}

/** Opens the file. Creates it and its folder, readable by their owner only, if needed. */
export function openFile(path: string, options: FileOptions = {}): FileDatabase {
  const { patience = 10_000, deadline = readDeadline, kept = 500, busyCommits = 25, longCommit = 20 } =
    options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite would create the file readable by everybody. It gives the files beside it the same permissions.
  closeSync(openSync(path, "a", 0o600));
  const connection = connect(path);
  const statements = keepStatements(connection, kept);
  const version = connection.prepare("pragma data_version");
  version.setReturnArrays(true);
  const writer = openWriter(path, connection, statements, { patience, kept, busyCommits, longCommit });
  const readers = openReaders(path, { kept, patience, deadline });

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
      // The greatest effort in the batch decides.
      const { threaded } = batch.find(({ threaded }) => threaded?.effort === "scan") ??
        batch.find(({ threaded }) => threaded) ?? {};
      return threaded
        ? readers.read(batch, threaded)
        : whileBusy(patience, () => readTogether(statements, batch));
    },
    readOnThread: readers.read,
    write: writer.write,
    script: (sql) => whileBusy(0, () => scriptNow(sql)),
    stamp: () => Number(version.get()?.[0]),
    isRefusing: writer.isRefusing,
    freeBytes: () => freeBytes(path),
    release() {
      connection.exec("pragma shrink_memory");
      writer.release();
      readers.release();
    },
    pragmas: () => readPragmas(statements),
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

/** All writes of the process. */
interface Writer {
  /** Resolves when the batch is on disk. */
  write(statements: readonly Statement[], onRan?: OnRan): Promise<Result[]>;
  /** True when the last write was refused. */
  isRefusing(): boolean;
  /** Ends the thread if it has no work. */
  release(): void;
  /** Finishes the accepted writes and accepts no more. */
  close(): Promise<void>;
  /** Number of commits in this thread. */
  commits(): number;
}

/**
 * Writes on the given connection while there are few writes, which is fastest and needs one thread. After
 * `busyCommits` busy commits a thread with its own connection takes over, so that the process serves calls
 * while the disk syncs.
 */
function openWriter(
  path: string,
  connection: DatabaseSync,
  statements: KeptStatements,
  given: {
    readonly patience: number;
    readonly kept: number;
    readonly busyCommits: number;
    readonly longCommit: number;
  },
): Writer {
  const group = groupCommits(connection, statements, given);
  let thread: Thread<PackedBatch, PackedResults> | null = null;
  const last: Refusals = { refused: false };
  let closed = false;
  let waiting = 0;
  const whenIdle: (() => void)[] = [];

  return {
    async write(batch, onRan) {
      if (closed) throw new DatabaseUnavailable("the database is closed");
      if (!thread && group.spent.busy >= given.busyCommits) {
        const started: Thread<PackedBatch, PackedResults> = startThread("./writer_worker.ts", {
          path,
          ...given,
        }, () => {
          if (thread === started) thread = null;
        });
        thread = started;
      }
      waiting++;
      try {
        return await noting(last, thread ? askPacked(thread, batch, onRan) : group.write(batch, onRan));
      } finally {
        if (--waiting === 0) { for (const resolve of whenIdle.splice(0)) resolve(); }
      }
    },
    isRefusing: () => last.refused,
    release() {
      if (waiting > 0) return;
      thread?.end().catch(() => {});
      thread = null;
    },
    async close() {
      closed = true;
      if (waiting > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      await thread?.end();
    },
    commits: () => group.spent.commits,
  };
}

async function askPacked(
  thread: Thread<PackedBatch, PackedResults>,
  batch: readonly Statement[],
  onRan: OnRan | undefined,
): Promise<Result[]> {
  const packed = await thread.ask(packBatch(batch));
  onRan?.(packed.ms);
  return unpackResults(packed);
}

/** Bytes that this process may still use. Null where the file system does not count. */
function freeBytes(path: string): number | null {
  try {
    const { blocks, bavail, bsize } = statfsSync(path);
    return blocks === 0 ? null : bavail * bsize;
  } catch {
    return null;
  }
}

/** Checkpoints the write-ahead log. On a full disk the log stays, and is read when the file opens again. */
function emptyLog(connection: DatabaseSync): void {
  try {
    connection.exec("pragma wal_checkpoint(truncate)");
  } catch (error) {
    if (!(translateError(error) instanceof DatabaseUnavailable)) throw error;
  }
}

const promised = [
  "journal_mode",
  "synchronous",
  "foreign_keys",
  "secure_delete",
  "cache_size",
  "temp_store",
  "journal_size_limit",
  "busy_timeout",
];

function readPragmas(statements: KeptStatements): Record<string, Value> {
  const rows = promised.map((name) =>
    statements.run({ sql: `pragma ${name}`, args: [] }, "read").rows[0] ?? {}
  );
  // SQLite returns `busy_timeout` in a column named `timeout`.
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

/**
 * Databases for test apps. When an app gives one back, it is emptied and lent to the next app: opening a
 * file, reading its schema, compiling statements and starting threads take half the time of a short test.
 */
import { readdirSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Database,
  DatabaseUnavailable,
  type OnRan,
  type Result,
  type Statement,
} from "../../src/platform/database/database.ts";
import { type FileDatabase, openFile } from "../../src/platform/database/file.ts";
import { selectRows } from "./rows.ts";
import { copyTemplate, distinctIds } from "./template.ts";
import { newFolder } from "./temporary.ts";

/** A database for one app, with the call that gives it back. */
export interface LentDatabase {
  /** Refuses calls after `close`, which leaves the file open. */
  readonly db: Database;
  /** Holds the database only. */
  readonly folder: string;
  readonly file: string;
  /** Ends the loan. Give true if only `db` used the file: then another app may get it. */
  giveBack(isReusable: boolean): Promise<void>;
}

interface Opened {
  readonly db: FileDatabase;
  readonly folder: string;
  readonly file: string;
  /** Changes with the schema and the list of migrations. */
  readonly version: string;
  /**
   * Tables that are empty in a new database, each before those that its rows refer to; a search index stands
   * for its shadow tables.
   */
  readonly tables: readonly string[];
  /** At least the number of commits that the writer counts as busy. */
  busyCommits: number;
}

const fileName = "crm.db";
const idle: Opened[] = [];
/** Most tests have one app at a time. */
const mostIdle = 2;
/** Pages of 4 KiB. A larger file takes longer to empty than a new one to open. */
const mostPages = 2_000;
/**
 * After more busy commits than this, no other app gets the database. Only commits that batches share count,
 * and not those that take long: on a busy machine many do, and then each app would open a file of its own.
 */
const mostBusyCommits = 75;
/** The service's default: after this many busy commits another thread writes. Every app may use as many. */
const busyCommitsOfApp = 25;
/** Triggers on deletions can add rows to a table that is already empty. */
const mostRounds = 5;
/** Tables to which triggers on deletions added rows so far. They are emptied last. */
const refilled = new Set<string>();

/** Returns an empty database: a new one, or one that an app of this thread gave back. */
export async function lendDatabase(): Promise<LentDatabase> {
  return lend(idle.pop() ?? await openNew(copyTemplate), emptyDatabase);
}

/** Returns a copy of the file. Another app never gets it. */
export async function lendCopy(from: string): Promise<LentDatabase> {
  return lend(await openNew((path) => copyFile(from, path)), () => Promise.resolve(false));
}

/** `emptied` makes a database ready for another app, if it can. */
function lend(opened: Opened, emptied: (opened: Opened) => Promise<boolean>): LentDatabase {
  const { db, folder, file } = opened;
  let isClosed = false;
  const running = { calls: 0, writes: 0 };

  function countCalls<Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>) {
    return async (...asked: Asked): Promise<T> => {
      if (isClosed) throw new DatabaseUnavailable("the database is closed");
      running.calls++;
      try {
        return await call(...asked);
      } finally {
        running.calls--;
      }
    };
  }

  async function write(batch: readonly Statement[], onRan?: OnRan): Promise<Result[]> {
    // Writes at the same time may share a commit, which then counts as busy.
    if (running.writes++ > 0) opened.busyCommits++;
    try {
      return await db.write(batch, onRan);
    } finally {
      running.writes--;
    }
  }

  return {
    folder,
    file,
    db: {
      ...db,
      read: countCalls(db.read),
      readOnThread: countCalls(db.readOnThread),
      write: countCalls(write),
      script: countCalls(db.script),
      close: () => Promise.resolve(void (isClosed = true)),
    },
    async giveBack(isReusable) {
      isClosed = true;
      const isWanted = running.calls === 0 && idle.length < mostIdle;
      if (isReusable && isWanted && await emptied(opened)) idle.push(opened);
      else await close(opened);
    },
  };
}

// The thread that runs a group of test files ends without closing its idle databases.
globalThis.addEventListener("unload", () => {
  for (const { folder } of idle) rmSync(folder, { recursive: true, force: true });
});

async function openNew(create: (path: string) => Promise<void>): Promise<Opened> {
  const folder = newFolder("wayline-");
  const file = join(folder, fileName);
  await create(file);
  const db = openFile(file, { busyCommits: mostBusyCommits + busyCommitsOfApp, longCommit: Infinity });
  return {
    db,
    folder,
    file,
    version: await readVersion(db),
    tables: await listEmptyTables(db),
    busyCommits: 0,
  };
}

/** Returns the tables that are empty in a new database, each before those that its rows refer to. */
async function listEmptyTables(db: Database): Promise<string[]> {
  const found = await selectRows(
    db,
    `select name, (select group_concat("table") from pragma_foreign_key_list(name)) as parents
      from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
      and name not like 'sqlite\\_%' escape '\\' and name not in ('migrations', 'caller_changes')`,
  );
  const parents = new Map(found.map(({ name, parents }) => [`${name}`, `${parents ?? ""}`.split(",")]));
  const sorted = new Set<string>();
  const add = (table: string) => {
    if (sorted.has(table) || !parents.has(table)) return;
    for (const parent of parents.get(table)!) if (parent !== table) add(parent);
    sorted.add(table);
  };
  for (const table of parents.keys()) add(table);
  return [...sorted].reverse();
}

async function close({ db, folder }: Opened): Promise<void> {
  await db.close();
  rmSync(folder, { recursive: true });
}

/**
 * Deletes all rows and the files beside the database. Returns false if another app could notice the earlier
 * use.
 */
async function emptyDatabase(opened: Opened): Promise<boolean> {
  const { db, folder, version, tables, busyCommits } = opened;
  const [size] = await selectRows(db, "select page_count from pragma_page_count");
  if (Number(size!.page_count) > mostPages || busyCommits > mostBusyCommits) return false;
  if (await readVersion(db) !== version) return false;
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(fileName)) rmSync(join(folder, entry), { recursive: true });
  }
  const filled = tables.map((table) =>
    `select '${table}' as name where exists (select 1 from ${findRowsTable(table)})`
  ).join(" union all ");
  for (let round = 0; round < mostRounds; round++) {
    const found = (await selectRows(db, filled)).map(({ name }) => String(name));
    if (found.length === 0 && round > 0) return true;
    if (round > 0) { for (const table of found) refilled.add(table); }
    const deletions = [...found.filter((table) => !refilled.has(table)), ...refilled].map((table) =>
      isSearchIndex(table) ? `insert into ${table} (${table}) values ('delete-all')` : `delete from ${table}`
    );
    // Without a pragma: one that is a flag, such as `foreign_keys`, makes SQLite compile all kept statements
    // again.
    const batch = [...deletions, "update caller_changes set n = 0", ...distinctIds];
    await db.write(batch.map((sql) => ({ sql, args: [] })));
  }
  return false;
}

function isSearchIndex(table: string): boolean {
  return table.endsWith("_search") || table.endsWith("_trigrams");
}

/** Returns the table that has a row for each row of the given table or search index. */
function findRowsTable(table: string): string {
  return isSearchIndex(table) ? `${table}_docsize` : table;
}

async function readVersion(db: Database): Promise<string> {
  const [found] = await selectRows(
    db,
    "select (select schema_version from pragma_schema_version) || (select group_concat(tag) from migrations) as version",
  );
  return String(found!.version);
}

/** Opens the configured database. Reports in one line why a path cannot be used. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { type Config, ConfigError } from "../config.ts";
import type { Database } from "../platform/database/database.ts";
import { type FileDatabase, type FileOptions, openFile } from "../platform/database/file.ts";
import { locateRestoreMarker, toFilePath } from "./places.ts";
import { sql } from "../db/statements.ts";

/** Throws ConfigError for a file that cannot be opened or belongs to another program. */
export async function openDatabase(config: Config, options?: FileOptions): Promise<Database> {
  if (config.databaseUrl.startsWith("file:")) {
    return await openDatabaseFile(toFilePath(config.databaseUrl), options);
  }
  // Loads the remote driver only when needed, so that a box with a file starts sooner.
  const { openRemote } = await import("../platform/database/remote.ts");
  return openRemote(config.databaseUrl, config.databaseAuthToken ?? undefined);
}

/** Opens a file unless a restore into it was interrupted. Throws ConfigError. */
export async function openDatabaseFile(path: string, options?: FileOptions): Promise<FileDatabase> {
  let db: FileDatabase | undefined;
  try {
    if (existsSync(locateRestoreMarker(path))) {
      throw new ConfigError(`A restore to ${path} was interrupted: run deno task restore again`);
    }
    if (isText(path)) throw new ConfigError(`The database ${path} cannot be opened: ${notSqlite}`);
    db = openFile(path, options);
    if (await isForeign(db)) throw new ConfigError(`${path} is the database of another program`);
    return db;
  } catch (error) {
    await db?.close();
    if (error instanceof ConfigError) throw error;
    const fault = placeFault(error);
    if (fault === null) throw error;
    throw new ConfigError(`The database ${path} cannot be opened: ${fault}`, { cause: error });
  }
}

/** SQLite treats a file shorter than a page as empty and would overwrite it. */
function isText(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  const file = openSync(path, "r");
  try {
    const start = new Uint8Array(16);
    const bytes = readSync(file, start);
    return bytes > 0 && new TextDecoder().decode(start) !== "SQLite format 3\0";
  } finally {
    closeSync(file);
  }
}

/** Reports whether the file has tables of another program. */
async function isForeign(db: Database): Promise<boolean> {
  const [found] = await db.read([
    sql`select count(*) as n, sum(name = 'migrations') as ours from sqlite_schema
      where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
  ]);
  const { n, ours } = found!.rows[0]!;
  return Number(n) > 0 && ours !== 1;
}

/** Explains why a file or folder cannot be used; null for other errors. */
export function placeFault(error: unknown): string | null {
  const { code, message, name } = error instanceof Error
    ? { code: "code" in error ? String(error.code) : "", message: error.message, name: error.name }
    : { code: "", message: String(error), name: "" };
  // Deno's own permission flags refuse the path.
  if (name === "NotCapable") return message.split(",")[0]!;
  const known = faults.find(([pattern]) => pattern.test(`${code} ${message}`));
  return known ? known[1] : null;
}

export const diskFull = "the disk is full";
const notSqlite = "it is not a SQLite database";

const faults: readonly (readonly [RegExp, string])[] = [
  [/EISDIR/, "it is a folder"],
  [/ENOTDIR|EEXIST/, "a part of its path is a file, not a folder"],
  [/EACCES|EPERM|readonly database/, "this user may not write there"],
  [/EROFS/, "the file system is read-only"],
  [/ENOSPC|EDQUOT|disk is full/, diskFull],
  [/ENAMETOOLONG/, "its path is too long"],
  [/ELOOP/, "its path is a loop of links"],
  [/not a database/, notSqlite],
  [/malformed/, "it is damaged: restore a backup"],
  [/disk I\/O error/, "the disk reports an error"],
  [/unable to open database file/, "this user may not write there, or it is not a regular file"],
];

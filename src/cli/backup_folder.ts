/** The folder of a backup: what it holds, and whether it is whole. */
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { syncPath } from "../entry/write_durably.ts";
import { faultsOf, fitsKey, objectsOf } from "./backup_database.ts";

export const backupNames = {
  database: "crm.db",
  files: "files",
  key: "secrets.key",
  /** Written last: a backup without it was broken off. */
  manifest: "backup.json",
} as const;

export interface Manifest {
  readonly made_at: string;
  readonly database_bytes: number;
  /** Absent in backups of older versions. */
  readonly database_sha256?: string;
  /** How many stored files came along. */
  readonly files: number;
  /** Whether the files lay in a folder and are all here. Absent in backups of older versions. */
  readonly has_files?: boolean;
}

/** What is wrong with a copy of the database, its key and its files (null: not in a folder); none when all is whole. */
export function copyFaults(database: string, sealedWith: string, files: string | null): string[] {
  const faults = faultsOf(database);
  if (faults.length > 0) return faults;
  if (!fitsKey(database, sealedWith)) return ["its key is not the one that its database was sealed with"];
  if (files === null) return [];
  return objectsOf(database).flatMap(({ key, bytes }) => {
    const found = statSync(join(files, key), { throwIfNoEntry: false });
    if (found === undefined) return [`the file ${key} is missing`];
    return found.size === bytes ? [] : [`the file ${key} has ${found.size} bytes instead of ${bytes}`];
  });
}

/** SHA-256 of a file, in hex. */
export function digestOf(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const piece = new Uint8Array(1024 * 1024);
    for (let bytes; (bytes = readSync(file, piece)) > 0;) hash.update(piece.subarray(0, bytes));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/**
 * Copies the files of a folder, and of those in it, to the disk. Leaves out what is gone by then. Answers how many.
 */
export function copyFolder(from: string, to: string): number {
  let copied = 0;
  for (const entry of entriesOf(from)) {
    const [source, target] = [join(from, entry), join(to, entry)];
    try {
      if (statSync(source).isDirectory()) {
        copied += copyFolder(source, target);
        continue;
      }
      mkdirSync(to, { recursive: true, mode: 0o700 });
      copyFileSync(source, target);
      syncPath(target);
      copied++;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  if (existsSync(to)) syncPath(to);
  return copied;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

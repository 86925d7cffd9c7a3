/** The contents of a backup folder and the check that they are complete. */
import { createHash } from "node:crypto";
import {
  chmodSync,
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
import { findDatabaseFaults, fitsKey, listStoredObjects } from "./backup_database.ts";

export const backupNames = {
  database: "crm.db",
  files: "files",
  key: "secrets.key",
  /** Written last. A backup without it is incomplete. */
  manifest: "backup.json",
} as const;

export interface Manifest {
  readonly made_at: string;
  readonly database_bytes: number;
  /** Absent in backups of older versions. */
  readonly database_sha256?: string;
  /** Number of stored files in the backup. */
  readonly files: number;
  /**
   * True when the files came from a folder and are all in the backup. Absent in backups of older versions.
   */
  readonly has_files?: boolean;
}

/**
 * Returns the faults of a copy of the database, its key and its files; empty when all are intact. `files` is
 * null when they are in a bucket.
 */
export function findCopyFaults(database: string, sealedWith: string, files: string | null): string[] {
  const faults = findDatabaseFaults(database);
  if (faults.length > 0) return faults;
  if (!fitsKey(database, sealedWith)) return ["its key does not match its database"];
  if (files === null) return [];
  return listStoredObjects(database).flatMap(({ key, bytes }) => {
    const found = statSync(join(files, key), { throwIfNoEntry: false });
    if (found === undefined) return [`the file ${key} is missing`];
    return found.size === bytes ? [] : [`the file ${key} has ${found.size} bytes instead of ${bytes}`];
  });
}

/** SHA-256 of a file, in hex. */
export function computeDigest(path: string): string {
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
 * Copies a folder and its subfolders durably, so that only their owner can read them. Skips files that are deleted meanwhile. Returns the number of
 * files.
 */
export function copyFolder(from: string, to: string): number {
  let copied = 0;
  for (const entry of listEntries(from)) {
    const [source, target] = [join(from, entry), join(to, entry)];
    try {
      if (statSync(source).isDirectory()) {
        copied += copyFolder(source, target);
        continue;
      }
      mkdirSync(to, { recursive: true, mode: 0o700 });
      copyFileSync(source, target);
      chmodSync(target, 0o600);
      syncPath(target);
      copied++;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  if (existsSync(to)) syncPath(to);
  return copied;
}

function listEntries(folder: string): string[] {
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

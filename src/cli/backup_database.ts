/**
 * Inspects database files that no process serves: copies in a backup, and the file that a restore replaces.
 */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { open, SealBroken } from "../platform/crypto.ts";
import { migrationTags } from "../platform/database/migration_tags.ts";
import { CommandError } from "./command.ts";

/** A stored file that a record refers to. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

/** Returns the faults of a database file, a few words each; empty when it is intact. */
export function findDatabaseFaults(path: string): string[] {
  try {
    return withDatabase(path, (db) => {
      const whole = db.prepare("pragma integrity_check").all().map((row) => `${row.integrity_check}`);
      const broken = db.prepare("pragma foreign_key_check").all()
        .map((row) => `a row of ${row.table} refers to a missing row of ${row.parent}`);
      return [...whole.filter((line) => line !== "ok"), ...broken];
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Reports whether the database was sealed with the key. True for a database without a check value. */
export function fitsKey(path: string, key: string): boolean {
  return withDatabase(path, (db) => {
    if (!hasTable(db, "key_checks")) return true;
    const check = db.prepare("select sealed from key_checks where id = 1").get();
    if (check === undefined) return true;
    try {
      open(Uint8Array.fromBase64(key), String(check.sealed));
      return true;
    } catch (error) {
      if (error instanceof SealBroken) return false;
      throw error;
    }
  });
}

/** Reports whether the database is from before the first release, so that no version can open it. */
export function isBeforeFirstRelease(path: string): boolean {
  return withDatabase(path, (db) => {
    if (!hasTable(db, "migrations")) return false;
    const tags = db.prepare("select tag from migrations").all().map(({ tag }) => tag);
    return tags.length > 0 && !tags.includes(migrationTags[0]!);
  });
}

/** Lists the stored files that records refer to. */
export function listStoredObjects(path: string): StoredObject[] {
  return withDatabase(path, (db) => {
    if (!hasTable(db, "objects")) return [];
    return db.prepare("select key, bytes from objects where removed_from is null").all()
      .map((row) => ({ key: String(row.key), bytes: Number(row.bytes) }));
  });
}

/**
 * Deletes what a restore must not revive: tokens, sign-ins and reset links, which may have been ended since
 * the backup, and leases, whose holders no longer run.
 */
export function endSignIns(path: string): void {
  withDatabase(path, (db) => {
    db.exec("pragma synchronous = full; begin immediate");
    for (const table of ended) if (hasTable(db, table)) db.exec(`delete from ${table}`);
    db.exec("commit");
  });
}

const ended = [
  "access_tokens",
  "refresh_tokens",
  "authorization_codes",
  "device_codes",
  "sessions",
  "sign_ons",
  "password_resets",
  "leases",
];

/**
 * Throws CommandError while another process has the file open. That process holds a shared lock, so the
 * exclusive lock fails.
 */
export function refuseWhileOpen(path: string): void {
  if (!existsSync(path)) return;
  try {
    withDatabase(path, (db) => db.exec("pragma locking_mode = exclusive; begin exclusive; commit"));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes("locked")) throw new CommandError(`${path} is in use: stop the service first`);
    // A restore may replace a file that is damaged or is no database.
  }
}

function withDatabase<T>(path: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { timeout: 200 });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;
}

/** `deno task restore DIR`: restores a backup to the configured places. The service must be stopped. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { beginFeedEpoch } from "../db/feed_epoch.ts";
import { hold } from "../db/hold.ts";
import { migrationsFolder } from "../entry/migrations_folder.ts";
import { openDatabaseFile } from "../entry/open_database.ts";
import { locateKeyFile, toFilePath } from "../entry/places.ts";
import { syncPath, writeDurably } from "../entry/write_durably.ts";
import { migrate } from "../platform/database/migrate.ts";
import { readMigrations } from "../platform/database/migration_files.ts";
import { endSignIns, isBeforeFirstRelease, refuseWhileOpen } from "./backup_database.ts";
import { backupNames, computeDigest, copyFolder, findCopyFaults, type Manifest } from "./backup_folder.ts";
import { CommandError, readArgs, readConfiguration, runCommand } from "./command.ts";
import {
  listFilePaths,
  makeIncomingPath,
  type Places,
  readMarker,
  removeMarker,
  replace,
  setMarker,
} from "./replace_data.ts";

if (import.meta.main) await runCommand(main);

async function main(args: string[]): Promise<void> {
  const { values: { force = false, release = false }, words } = readArgs(
    args,
    "deno task restore DIR [--force] [--release]",
    { force: { type: "boolean" }, release: { type: "boolean" } },
    1,
  );
  await restore(readConfiguration(), words[0]!, { force, release, report: console.log });
}

interface Options {
  /** Whether existing data is replaced. */
  readonly force: boolean;
  /** Whether the restored service sends what the backup has to send; otherwise it is held. */
  readonly release: boolean;
  readonly report: (line: string) => void;
}

/** Restores the backup in `source`. Throws CommandError without changing anything. */
export async function restore(
  config: Config,
  source: string,
  { force, release, report }: Options,
): Promise<void> {
  const places = locatePlaces(config);
  const manifest = readManifest(source);
  const key = readKey(source, config);
  const begun = readMarker(places);
  refuseWhileOpen(places.database);
  const taken = listFilePaths(places).filter(holdsSomething);
  if (taken.length > 0 && !force && begun === null) {
    const replaced = taken.join(", ");
    throw new CommandError(
      `${replaced} would be replaced: add --force to replace them and keep the old ones under new names`,
    );
  }
  await stageCopy(source, places, manifest, key, release);
  const marker = begun ?? setMarker(places, taken);
  try {
    // Detects a service that started meanwhile. From here on none can start.
    refuseWhileOpen(places.database);
  } catch (error) {
    if (begun === null) removeMarker(places);
    throw error;
  }
  for (const kept of replace(places, marker)) report(`kept the old data as ${kept}`);
  removeMarker(places);
  const { made_at, files } = manifest;
  const count = places.files === undefined ? 0 : files;
  report(
    `Restored the backup of ${made_at}: ${places.database} and ${count} files. All users must sign in again`,
  );
  if (!release) {
    report(
      'It is held: nothing is sent until "deno task crm release". "deno task crm held" lists what waits',
    );
  }
  if (files > count) {
    report(`Its ${files} files are not in the bucket of STORAGE_URL: copy them there`);
  }
}

function locatePlaces(config: Config): Places {
  if (!config.databaseUrl.startsWith("file:")) {
    throw new CommandError("DATABASE_URL names a remote database: a backup can only be restored to a file");
  }
  return {
    database: toFilePath(config.databaseUrl),
    ...(config.storageUrl.startsWith("file:") ? { files: toFilePath(config.storageUrl) } : {}),
    ...(config.secretsKey ? {} : { key: locateKeyFile(config) }),
  };
}

function readManifest(source: string): Manifest {
  for (const name of [backupNames.manifest, backupNames.database, backupNames.key]) {
    if (existsSync(join(source, name))) continue;
    throw new CommandError(`${source} is not a complete backup: ${name} is missing`);
  }
  try {
    return JSON.parse(readFileSync(join(source, backupNames.manifest), "utf8"));
  } catch {
    throw makeDamageError([`its ${backupNames.manifest} cannot be read`]);
  }
}

/** Returns the backup's key. Throws when another key is configured, because it could not read the secrets. */
function readKey(source: string, config: Config): string {
  const key = readFileSync(join(source, backupNames.key), "utf8").trim();
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) {
    throw makeDamageError([`its ${backupNames.key} does not hold a key`]);
  }
  if (config.secretsKey && config.secretsKey.toBase64() !== key) {
    throw new CommandError(
      `SECRETS_KEY is not the key of the backup: take the one in ${source}/${backupNames.key}`,
    );
  }
  return key;
}

function holdsSomething(place: string): boolean {
  if (!existsSync(place)) return false;
  try {
    return readdirSync(place).length > 0;
  } catch {
    return true;
  }
}

/** Copies the backup beside the places. Throws CommandError unless all of it is intact. */
async function stageCopy(
  source: string,
  places: Places,
  manifest: Manifest,
  key: string,
  release: boolean,
): Promise<void> {
  const waiting = listFilePaths(places).map(makeIncomingPath);
  clearIncoming(waiting, places);
  try {
    mkdirSync(dirname(places.database), { recursive: true, mode: 0o700 });
    const database = makeIncomingPath(places.database);
    copyFileSync(join(source, backupNames.database), database);
    chmodSync(database, 0o600);
    if (manifest.database_sha256 !== undefined && computeDigest(database) !== manifest.database_sha256) {
      throw makeDamageError(["its database has changed since it was made"]);
    }
    const files = places.files === undefined ? null : makeIncomingPath(places.files);
    const copied = files === null ? 0 : copyFolder(join(source, backupNames.files), files);
    if (files !== null && copied !== manifest.files) {
      throw makeDamageError([`it has ${copied} files instead of ${manifest.files}`]);
    }
    if (isBeforeFirstRelease(database)) {
      throw new CommandError("The backup was made by a version before 0.1.0 and cannot be restored");
    }
    const faults = findCopyFaults(database, key, manifest.has_files === true ? files : null);
    if (faults.length > 0) throw makeDamageError(faults);
    endSignIns(database);
    await prepare(database, release);
    syncPath(database);
    if (places.key !== undefined) writeDurably(makeIncomingPath(places.key), `${key}\n`);
  } catch (error) {
    clearIncoming(waiting, places);
    throw error;
  }
}

/**
 * Begins an epoch of the event feed in the copy, and, unless `release`, a hold: the original may have sent since the
 * backup what the copy still has to send. Migrates the copy first, because a backup of an older version knows neither.
 */
async function prepare(database: string, release: boolean): Promise<void> {
  const db = await openDatabaseFile(database);
  const now = Date.now();
  try {
    await migrate(db, readMigrations(migrationsFolder));
    await db.write([beginFeedEpoch(now), ...(release ? [] : [hold(now)])]);
  } finally {
    await db.close();
  }
}

/** Deletes the files of an interrupted attempt. */
function clearIncoming(waiting: readonly string[], { database }: Places): void {
  const logs = ["-wal", "-shm"].map((ending) => `${makeIncomingPath(database)}${ending}`);
  for (const path of [...waiting, ...logs]) rmSync(path, { recursive: true, force: true });
}

function makeDamageError(faults: readonly string[]): CommandError {
  return new CommandError(
    `The backup is damaged, and nothing was restored: ${faults.slice(0, 3).join("; ")}`,
  );
}

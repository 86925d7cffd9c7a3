/** `deno task restore DIR`: a backup into the places that are configured, while nothing serves from them. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../config.ts";
import { keyFileOf, pathOf } from "../entry/places.ts";
import { backupNames, copyFolder, type Manifest } from "./backup_folder.ts";
import { CommandError, configuration, readArgs, runCommand } from "./command.ts";

if (import.meta.main) await runCommand(main);

function main(args: string[]): void {
  const { values, words } = readArgs(
    args,
    "deno task restore DIR [--force]",
    { force: { type: "boolean" } },
    1,
  );
  const config = configuration();
  const source = words[0]!;
  const places = placesOf(config);
  const manifest = readManifest(source);
  const key = readKey(source, config);
  const taken = Object.values(places).filter(holdsSomething);
  refuseWhileServing(places.database);
  if (taken.length > 0 && !values.force) {
    throw new CommandError(
      `${taken.join(", ")} would be replaced: say --force, and they are kept under new names`,
    );
  }

  const incoming = stage(source, places, manifest);
  for (const place of taken) console.log(`kept what was there as ${putAside(place)}`);
  for (const [from, to] of incoming) renameSync(from, to);
  if (places.key !== undefined) writeKey(places.key, key);
  console.log(`Restored the backup of ${manifest.made_at}: ${places.database} and ${manifest.files} files`);
}

interface Places {
  readonly database: string;
  /** None for a bucket. */
  readonly files?: string;
  /** None where the environment has the key. */
  readonly key?: string;
}

function placesOf(config: Config): Places {
  if (!config.databaseUrl.startsWith("file:")) {
    throw new CommandError("DATABASE_URL names a remote database: a backup is restored to a file only");
  }
  return {
    database: pathOf(config.databaseUrl),
    ...(config.storageUrl.startsWith("file:") ? { files: pathOf(config.storageUrl) } : {}),
    ...(config.secretsKey ? {} : { key: keyFileOf(config) }),
  };
}

function readManifest(source: string): Manifest {
  for (const name of [backupNames.manifest, backupNames.database, backupNames.key]) {
    if (existsSync(join(source, name))) continue;
    throw new CommandError(`${source} is no complete backup: it has no ${name}`);
  }
  const manifest: Manifest = JSON.parse(readFileSync(join(source, backupNames.manifest), "utf8"));
  if (manifest.files > 0 && !existsSync(join(source, backupNames.files))) {
    throw damaged("its files are missing");
  }
  return manifest;
}

/** The backup's key. Refused where another one is configured, as the secrets could not be read with it. */
function readKey(source: string, config: Config): string {
  const key = readFileSync(join(source, backupNames.key), "utf8").trim();
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

/** Whoever has the file open keeps a lock on it, which an exclusive one does not get past. */
function refuseWhileServing(path: string): void {
  if (!existsSync(path)) return;
  const connection = new DatabaseSync(path, { timeout: 200 });
  try {
    connection.exec("pragma locking_mode = exclusive; begin exclusive; commit");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes("locked")) throw new CommandError(`${path} is in use: stop the service first`);
    // A file that is no database, or a broken one, is what somebody may want to replace.
  } finally {
    connection.close();
  }
}

/** Copies the backup beside the places and checks it there. Answers what is to be renamed to what. */
function stage(source: string, places: Places, manifest: Manifest): [string, string][] {
  mkdirSync(dirname(places.database), { recursive: true, mode: 0o700 });
  const database = `${places.database}.incoming`;
  copyFileSync(join(source, backupNames.database), database);
  chmodSync(database, 0o600);
  const faults = faultsOf(database);
  if (faults.length > 0) {
    rmSync(database);
    throw damaged(faults.slice(0, 3).join("; "));
  }
  endLeases(database);
  if (places.files === undefined || manifest.files === 0) return [[database, places.database]];
  const files = `${places.files}.incoming`;
  rmSync(files, { recursive: true, force: true });
  const copied = copyFolder(join(source, backupNames.files), files);
  if (copied !== manifest.files) {
    rmSync(files, { recursive: true });
    rmSync(database);
    throw damaged(`it has ${copied} files instead of ${manifest.files}`);
  }
  return [[database, places.database], [files, places.files]];
}

function damaged(how: string): CommandError {
  return new CommandError(`The backup is damaged, and nothing was restored: ${how}`);
}

function faultsOf(path: string): string[] {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path);
    const whole = connection.prepare("pragma integrity_check").all().map((row) => `${row.integrity_check}`);
    const broken = connection.prepare("pragma foreign_key_check").all()
      .map((row) => `a row of ${row.table} lacks its ${row.parent}`);
    return [...whole.filter((line) => line !== "ok"), ...broken];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    connection?.close();
  }
}

/** Who held one when the backup was made, be it the backup itself, is not there any more. */
function endLeases(path: string): void {
  const connection = new DatabaseSync(path);
  try {
    const known = connection.prepare("select 1 from sqlite_schema where name = 'leases'").get();
    if (known) connection.exec("delete from leases");
  } finally {
    connection.close();
  }
}

function putAside(place: string): string {
  const kept = `${place}.before-${new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  renameSync(place, kept);
  // What a database that was not closed has beside it belongs to it.
  for (const ending of ["-wal", "-shm"]) {
    if (existsSync(place + ending)) renameSync(place + ending, kept + ending);
  }
  return kept;
}

function writeKey(file: string, key: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

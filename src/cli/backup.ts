/**
 * `deno task backup DIR`: copies the database, the files and the key into one folder while the service runs.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { holdObjects } from "../db/objects.ts";
import { locateKeyFile, toFilePath } from "../entry/places.ts";
import { openDatabaseFile } from "../entry/open_database.ts";
import { syncPath, writeDurably } from "../entry/write_durably.ts";
import { backupNames, computeDigest, copyFolder, findCopyFaults, type Manifest } from "./backup_folder.ts";
import { CommandError, readArgs, readConfiguration, runCommand } from "./command.ts";

if (import.meta.main) await runCommand(main);

async function main(args: string[]): Promise<void> {
  const { words } = readArgs(args, "deno task backup DIR", {}, 1);
  const config = readConfiguration();
  const target = resolve(words[0]!);
  const database = findDatabaseFile(config);
  const files = config.storageUrl.startsWith("file:") ? toFilePath(config.storageUrl) : null;
  const key = readKey(config);
  if (files !== null && `${target}/`.startsWith(`${resolve(files)}/`)) {
    throw new CommandError(`${words[0]} is inside the folder of stored files: choose another folder`);
  }
  makeEmpty(target, words[0]!);

  const db = await openDatabaseFile(database);
  const [hold, release] = holdObjects(crypto.randomUUID(), Date.now());
  let copied = 0;
  try {
    await db.write([hold]);
    await db.backupTo(join(target, backupNames.database));
    chmodSync(join(target, backupNames.database), 0o600);
    // Files are copied after the database, so every file that the copy names exists. Newer files do no harm.
    if (files !== null) copied = copyFolder(files, join(target, backupNames.files));
  } finally {
    await db.write([release]);
    await db.close();
  }
  const copy = join(target, backupNames.database);
  syncPath(copy);
  writeDurably(join(target, backupNames.key), `${key}\n`);
  const faults = findCopyFaults(copy, key, files === null ? null : join(target, backupNames.files));
  if (faults.length > 0) {
    throw new CommandError(
      `The backup in ${words[0]} is incomplete and cannot be used: ${faults.slice(0, 3).join("; ")}`,
    );
  }
  const bytes = statSync(copy).size;
  const manifest: Manifest = {
    made_at: new Date().toISOString(),
    database_bytes: bytes,
    database_sha256: computeDigest(copy),
    files: copied,
    has_files: files !== null,
  };
  writeDurably(join(target, backupNames.manifest), `${JSON.stringify(manifest)}\n`);

  console.log(
    `${words[0]} holds the database (${bytes} bytes), ${copied} files and the key. Keep it secret.`,
  );
  if (files === null) console.log("The files stay in their bucket. Back up the bucket separately.");
}

function findDatabaseFile(config: Config): string {
  if (!config.databaseUrl.startsWith("file:")) {
    throw new CommandError("DATABASE_URL names a remote database: use its own backup");
  }
  const path = toFilePath(config.databaseUrl);
  if (!existsSync(path)) throw new CommandError(`There is no database at ${path}`);
  return path;
}

/** Returns the key in base64. Without it nobody can read the secrets in the database. */
function readKey(config: Config): string {
  if (config.secretsKey) return config.secretsKey.toBase64();
  const file = locateKeyFile(config);
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new CommandError(`There is no key: SECRETS_KEY is not set and ${file} does not exist`);
}

function makeEmpty(target: string, typed: string): void {
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(`${typed} cannot be made: ${error instanceof Error ? error.message : error}`);
  }
  if (readdirSync(target).length > 0) throw new CommandError(`${typed} is not empty: name a new folder`);
}

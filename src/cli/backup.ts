/** `deno task backup DIR`: database, files and key in one folder, taken while the service goes on. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { holdObjects } from "../db/objects.ts";
import { keyFileOf, pathOf } from "../entry/places.ts";
import { openDatabaseFile } from "../entry/open_database.ts";
import { syncPath, writeDurably } from "../entry/write_durably.ts";
import { backupNames, copyFaults, copyFolder, digestOf, type Manifest } from "./backup_folder.ts";
import { CommandError, configuration, readArgs, runCommand } from "./command.ts";

if (import.meta.main) await runCommand(main);

async function main(args: string[]): Promise<void> {
  const { words } = readArgs(args, "deno task backup DIR", {}, 1);
  const config = configuration();
  const target = resolve(words[0]!);
  const database = databaseFile(config);
  const files = config.storageUrl.startsWith("file:") ? pathOf(config.storageUrl) : null;
  const key = keyOf(config);
  if (files !== null && `${target}/`.startsWith(`${resolve(files)}/`)) {
    throw new CommandError(`${words[0]} lies within the files that are to be copied: choose another folder`);
  }
  makeEmpty(target, words[0]!);

  const db = await openDatabaseFile(database);
  const [hold, release] = holdObjects(crypto.randomUUID(), Date.now());
  let copied = 0;
  try {
    await db.write([hold]);
    await db.backupTo(join(target, backupNames.database));
    // After the database: what its copy names is still there, and what came since does no harm.
    if (files !== null) copied = copyFolder(files, join(target, backupNames.files));
  } finally {
    await db.write([release]);
    await db.close();
  }
  const copy = join(target, backupNames.database);
  syncPath(copy);
  writeDurably(join(target, backupNames.key), `${key}\n`);
  const faults = copyFaults(copy, key, files === null ? null : join(target, backupNames.files));
  if (faults.length > 0) {
    throw new CommandError(
      `The backup is not whole, and ${words[0]} is no backup: ${faults.slice(0, 3).join("; ")}`,
    );
  }
  const bytes = statSync(copy).size;
  const manifest: Manifest = {
    made_at: new Date().toISOString(),
    database_bytes: bytes,
    database_sha256: digestOf(copy),
    files: copied,
    has_files: files !== null,
  };
  writeDurably(join(target, backupNames.manifest), `${JSON.stringify(manifest)}\n`);

  console.log(`${words[0]} holds the database (${bytes} bytes), ${copied} files and the key: keep it secret`);
  if (files === null) console.log("The files stay in their bucket: back that up by its own means");
}

function databaseFile(config: Config): string {
  if (!config.databaseUrl.startsWith("file:")) {
    throw new CommandError("DATABASE_URL names a remote database: back it up by its own means");
  }
  const path = pathOf(config.databaseUrl);
  if (!existsSync(path)) throw new CommandError(`There is no database at ${path}`);
  return path;
}

/** The key in base64: without it the secrets in the database cannot be read again. */
function keyOf(config: Config): string {
  if (config.secretsKey) return config.secretsKey.toBase64();
  const file = keyFileOf(config);
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new CommandError(`There is no key: neither SECRETS_KEY is set, nor is there ${file}`);
}

function makeEmpty(target: string, typed: string): void {
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(`${typed} cannot be made: ${error instanceof Error ? error.message : error}`);
  }
  if (readdirSync(target).length > 0) throw new CommandError(`${typed} is not empty: name a new folder`);
}

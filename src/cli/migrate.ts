/** `deno task db:migrate`: migrates the configured database, file or remote, to this version. */
import { migrationsFolder } from "../entry/migrations_folder.ts";
import { openDatabase } from "../entry/open_database.ts";
import { toFilePath } from "../entry/places.ts";
import type { Config } from "../config.ts";
import { migrate } from "../platform/database/migrate.ts";
import { readMigrations } from "../platform/database/migration_files.ts";
import { openBufferedLog } from "../platform/log_buffered.ts";
import { readArgs, readConfiguration, runCommand } from "./command.ts";

const stderr = 2;

if (import.meta.main) await runCommand(main);

async function main(args: string[]): Promise<void> {
  readArgs(args, "deno task db:migrate", {}, 0);
  const config = readConfiguration();
  const migrations = readMigrations(migrationsFolder);
  const db = await openDatabase(config);
  try {
    const log = openBufferedLog({ level: config.logLevel, now: Date.now, descriptor: stderr });
    const applied = await migrate(db, migrations, log);
    log.flush();
    for (const tag of applied) console.log(`applied ${tag}`);
    const number = `${migrations.length} migrations, ${applied.length} of them new`;
    console.log(`${describeDatabase(config)} is up to date: ${number}`);
  } finally {
    await db.close();
  }
}

/** Returns the address of the database without secrets. */
function describeDatabase({ databaseUrl }: Config): string {
  return databaseUrl.startsWith("file:") ? toFilePath(databaseUrl) : new URL(databaseUrl).host;
}

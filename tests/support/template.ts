import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { migrationsFolder } from "../../src/entry/box.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { newFolder, temporary } from "./temporary.ts";

let made: Promise<string> | undefined;

/**
 * Statements that let the ids of each table begin at a different number. If all began at 1, a statement that
 * compares ids of different tables, or an id with the `id` of `json_each`, could find the right row by
 * chance.
 */
export const distinctIds: readonly string[] = [
  "delete from sqlite_sequence",
  `insert into sqlite_sequence (name, seq) select name, 1000 * row_number() over (order by name)
    from sqlite_schema where type = 'table' and sql like '%autoincrement%'`,
];

/** Copies a migrated, empty database to a new file. A migration takes a hundred times as long. */
export async function copyTemplate(path: string): Promise<void> {
  copyFileSync(await template(), path);
}

/** Migrates a new file, for a test that may not read the template, and runs the script. */
export async function migrateFile(path: string, script = ""): Promise<void> {
  const db = openFile(path);
  await migrate(db, readMigrations(migrationsFolder));
  await db.script(script);
  await db.close();
}

/**
 * Returns the path of the template, created once for all test files and runs. Its name depends on the
 * migrations.
 */
function template(): Promise<string> {
  made ??= (async () => {
    const migrations = readMigrations(migrationsFolder);
    const file = join(
      temporary,
      `wayline-template-${sha256(JSON.stringify([migrations, distinctIds])).slice(0, 16)}.db`,
    );
    if (existsSync(file)) return file;
    const folder = newFolder("wayline-");
    await migrateFile(join(folder, "template.db"), distinctIds.join("; "));
    // Renamed when complete, because another process can create it at the same time.
    renameSync(join(folder, "template.db"), file);
    rmSync(folder, { recursive: true });
    return file;
  })();
  return made;
}

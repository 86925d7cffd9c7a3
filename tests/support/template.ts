import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { migrationsFolder } from "../../src/entry/box.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { newFolder, temporary } from "./temporary.ts";

let made: Promise<string> | undefined;

/** Copies a migrated, empty database to a new file: to migrate one takes a hundred times as long. */
export async function copyTemplate(path: string): Promise<void> {
  copyFileSync(await template(), path);
}

/** Migrates a new file, for a test that may not read the template. */
export async function migrateFile(path: string): Promise<void> {
  const db = openFile(path);
  await migrate(db, readMigrations(migrationsFolder));
  await db.close();
}

/** Created once for all test files and runs; its name depends on the migrations. */
function template(): Promise<string> {
  made ??= (async () => {
    const migrations = readMigrations(migrationsFolder);
    const file = join(
      temporary,
      `wayline-template-${sha256(JSON.stringify(migrations)).slice(0, 16)}.db`,
    );
    if (existsSync(file)) return file;
    const folder = newFolder("wayline-");
    await migrateFile(join(folder, "template.db"));
    // Renamed when complete, because another process can create it at the same time.
    renameSync(join(folder, "template.db"), file);
    rmSync(folder, { recursive: true });
    return file;
  })();
  return made;
}

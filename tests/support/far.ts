/** A migrated database that is asked over HTTP, as on the edge. */
import { migrationsFolder } from "../../src/entry/box.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { inFolder } from "./engines.ts";
import { type Hrana, startHrana } from "./hrana.ts";

export interface FarDatabase {
  readonly hrana: Hrana;
  /** For `startApp`, once for each instance. */
  readonly env: Record<string, string>;
}

/** A far database as long as it is used; each answer comes `latency` milliseconds late. */
export function farDatabase(use: (far: FarDatabase) => Promise<void>, latency = 0): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/far.db`;
    const db = openFile(path);
    await migrate(db, readMigrations(migrationsFolder));
    await db.close();
    const hrana = await startHrana({ path, latency });
    try {
      await use({ hrana, env: { DATABASE_URL: hrana.url, SECRETS_KEY: new Uint8Array(32).toBase64() } });
    } finally {
      await hrana.close();
    }
  });
}

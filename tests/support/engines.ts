import type { Database } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { openRemote } from "../../src/platform/database/remote.ts";
import { startHrana } from "./hrana.ts";
import { copyTemplate } from "./template.ts";

/** A database for a single test, with the path of its file. */
export interface Opened {
  readonly db: Database;
  readonly path: string;
}

/**
 * Runs a test on the file driver and on the remote one. Each gets a new file, which `make` fills (empty by
 * default).
 */
export function onEachEngine(
  name: string,
  test: (opened: Opened) => Promise<void>,
  make: (path: string) => Promise<void> = () => Promise.resolve(),
): void {
  Deno.test(`on a file, ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/crm.db`;
      await make(path);
      const db = openFile(path);
      try {
        await test({ db, path });
      } finally {
        await db.close();
      }
    }));
  Deno.test(`far away, ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/crm.db`;
      await make(path);
      const hrana = await startHrana({ path, token: "t" });
      const db = openRemote(hrana.url, "t");
      try {
        await test({ db, path });
      } finally {
        await db.close();
        await hrana.close();
      }
    }));
}

/** Like `onEachEngine`, over copies of a migrated database. */
export function onEachMigrated(name: string, test: (opened: Opened) => Promise<void>): void {
  onEachEngine(name, test, copyTemplate);
}

/** Calls `use` with a temporary folder, and deletes the folder afterwards. */
export async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "crm-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

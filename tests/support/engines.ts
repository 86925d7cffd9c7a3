import type { Database } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { openRemote } from "../../src/platform/database/remote.ts";
import { startHrana } from "./hrana.ts";
import { copyTemplate } from "./template.ts";
import { newFolder } from "./temporary.ts";

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

/**
 * Calls `use` with a new folder in `temporary`, and deletes the folder afterwards. Processes without all
 * permissions cannot use such a folder; see `inFolderOnDisk`.
 */
export async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  await inNew(newFolder("crm-"), use);
}

/** Like `inFolder`, in the system's folder for temporary files. */
export async function inFolderOnDisk(use: (folder: string) => Promise<void>): Promise<void> {
  await inNew(await Deno.makeTempDir({ prefix: "crm-" }), use);
}

async function inNew(folder: string, use: (folder: string) => Promise<void>): Promise<void> {
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

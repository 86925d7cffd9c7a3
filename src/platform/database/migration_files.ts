import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Journal, type Migration, parseMigration } from "./migrate.ts";

/**
 * Returns the migrations that drizzle-kit wrote to a folder, in the order of its journal. Reads a file only
 * when its statements are used: most starts find a migrated database, and need only the names.
 */
export function readMigrations(folder: string): Migration[] {
  const journal: Journal = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8"));
  return journal.entries.map(({ tag }) => ({
    tag,
    get statements() {
      return parseMigration(tag, readFileSync(join(folder, `${tag}.sql`), "utf8")).statements;
    },
  }));
}

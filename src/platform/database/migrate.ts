import { ConfigError } from "../../config.ts";
import type { Log } from "../log.ts";
import { type Database, NotUnique } from "./database.ts";

/** One file of `drizzle/`: its name without the ending, and its statements in order. */
export interface Migration {
  readonly tag: string;
  readonly statements: readonly string[];
}

/** The part of drizzle-kit's `meta/_journal.json` that is read: the migrations in order. */
export interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

/** Separates statements in a migration. A semicolon cannot, because triggers contain semicolons. */
const breakpoint = "--> statement-breakpoint";

/** Reported for a database from before the first release, whose migrations no longer exist. */
const beforeFirstRelease =
  "The database was made by a version before 0.1.0 and cannot be upgraded: export its records with that version, then move it away to start with an empty one";

/** Returns the statements of a migration file as drizzle-kit writes it. */
export function parseMigration(tag: string, text: string): Migration {
  const parts = text.split(breakpoint).map((part) => part.trim().replace(/;$/, ""));
  return { tag, statements: parts.filter((part) => part !== "") };
}

/**
 * Applies the migrations that the database lacks, in order, each completely or not at all. Several processes may
 * do so at the same time. Returns the tags that this call applied. Logs a line for each, unless the database is
 * new.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  log?: Pick<Log, "info">,
): Promise<string[]> {
  const pending = new Set(await listPendingMigrations(db, migrations.map((migration) => migration.tag)));
  const isNew = pending.size === migrations.length;
  const applied: string[] = [];
  for (const migration of migrations.filter(({ tag }) => pending.has(tag))) {
    const asked = performance.now();
    if (!await apply(db, migration)) continue;
    applied.push(migration.tag);
    if (!isNew) log?.info({ event: "migrated", name: migration.tag, ms: since(asked) });
  }
  return applied;
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}

/**
 * Returns the tags of the migrations that the database lacks, in order; one round trip. Throws ConfigError for a
 * database from before the first release. Ignores unknown tags: a newer version may have migrated the database,
 * and migrations only add.
 */
export async function listPendingMigrations(db: Database, tags: readonly string[]): Promise<string[]> {
  try {
    const [found] = await db.read([{ sql: "select tag from migrations", args: [] }]);
    const applied = new Set(found!.rows.map((row) => row.tag));
    if (applied.size > 0 && !applied.has(tags[0]!)) {
      throw new ConfigError(beforeFirstRelease);
    }
    return tags.filter((tag) => !applied.has(tag));
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table: migrations")) return [...tags];
    throw error;
  }
}

/**
 * Applies one migration. Returns false if another process inserted the tag first and applied it. Foreign
 * keys are off meanwhile, because dropping a table to rebuild it would delete the rows that refer to it. They
 * are switched outside of the transaction, because SQLite cannot switch them inside.
 */
async function apply(db: Database, { tag, statements }: Migration): Promise<boolean> {
  const script = [
    "pragma foreign_keys = off",
    "begin immediate",
    "create table if not exists migrations (tag text primary key not null, applied_at text not null)",
    `insert into migrations values ('${tag.replaceAll("'", "''")}', datetime('now'))`,
    ...statements.filter((sql) => !/^pragma\s+foreign_keys\b/i.test(sql)),
    "commit",
    "pragma foreign_keys = on",
  ];
  try {
    await db.script(script.join("\n;\n"));
    return true;
  } catch (error) {
    if (error instanceof NotUnique && error.columns === "migrations.tag") return false;
    throw error;
  }
}

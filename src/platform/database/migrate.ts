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

/** Separates statements in a migration; a semicolon cannot, as triggers have some inside. */
const breakpoint = "--> statement-breakpoint";

/** The statements of a migration file as drizzle-kit writes it. */
export function parseMigration(tag: string, text: string): Migration {
  const parts = text.split(breakpoint).map((part) => part.trim().replace(/;$/, ""));
  return { tag, statements: parts.filter((part) => part !== "") };
}

/**
 * Applies the migrations that the database lacks, in order, each whole or not at all. Several processes
 * may do so at once. Answers the tags that this call applied.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  const pending = new Set(await pendingMigrations(db, migrations.map((migration) => migration.tag)));
  const applied: string[] = [];
  for (const migration of migrations.filter(({ tag }) => pending.has(tag))) {
    if (await apply(db, migration)) applied.push(migration.tag);
  }
  return applied;
}

/** The tags whose migrations the database still lacks, in order; one round trip. */
export async function pendingMigrations(db: Database, tags: readonly string[]): Promise<string[]> {
  try {
    const [found] = await db.read([{ sql: "select tag from migrations", args: [] }]);
    const applied = new Set(found?.rows.map((row) => row.tag));
    return tags.filter((tag) => !applied.has(tag));
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table: migrations")) return [...tags];
    throw error;
  }
}

/**
 * Foreign keys are off meanwhile, or dropping a table to build it anew would delete what hangs on it;
 * inside of a transaction they cannot be switched. Who inserts the tag first has the migration; whoever
 * comes second finds it taken. Answers whether it was applied here.
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

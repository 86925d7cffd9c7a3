/**
 * `deno task db:generate --name NAME`: writes the migrations that lead from the existing ones to the schema
 * in the sources. drizzle-kit writes one for tables and indexes; another is for triggers and full-text
 * indexes, if they differ.
 */
import { DatabaseSync } from "node:sqlite";
import { createdObjects, type SchemaObject, writeMigration } from "../db/triggers.ts";
import { readMigrations } from "../platform/database/migration_files.ts";
import { schemaObjects } from "../triggers.ts";
import { CommandError, readArgs, runCommand } from "./command.ts";
import { readPinnedPackage } from "./pinned_package.ts";

const folder = new URL("../../drizzle/", import.meta.url).pathname;

if (import.meta.main) await runCommand(generate);

async function generate(args: string[]): Promise<void> {
  const usage = "deno task db:generate --name NAME";
  const { values } = readArgs(args, usage, { name: { type: "string" } }, 0);
  if (!values.name) throw new CommandError(`--name must be given\nUsage: ${usage}`);
  await runDrizzleKit("generate", "--name", values.name);
  const statements = writeMigration(schemaObjects, readMigratedObjects());
  if (statements.length > 0) {
    await runDrizzleKit("generate", "--custom", "--name", `${values.name}_triggers`);
    const { tag } = readMigrations(folder).at(-1)!;
    const text = statements.map((statement) => `${statement};\n`).join("--> statement-breakpoint\n");
    await Deno.writeTextFile(`${folder}${tag}.sql`, text);
  }
  await removeOldSnapshots();
}

/** drizzle-kit compares the schema with the newest snapshot alone; each has half a megabyte. */
async function removeOldSnapshots(): Promise<void> {
  const names = [...Deno.readDirSync(`${folder}meta`)].map(({ name }) => name)
    .filter((name) => name.endsWith("_snapshot.json")).sort();
  for (const name of names.slice(0, -1)) await Deno.remove(`${folder}meta/${name}`);
}

/** Applies the migrations to a database in memory and reads its objects. */
function readMigratedObjects(): SchemaObject[] {
  const db = new DatabaseSync(":memory:");
  for (const { statements } of readMigrations(folder)) {
    for (const statement of statements) db.exec(statement);
  }
  const objects = db.prepare(createdObjects).all() as unknown[] as SchemaObject[];
  db.close();
  return objects;
}

async function runDrizzleKit(...args: string[]): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", "tests/deno.json", readPinnedPackage("drizzle-kit"), ...args],
    cwd: new URL("../../", import.meta.url),
  });
  const { code } = await command.spawn().status;
  if (code !== 0) throw new CommandError(`drizzle-kit ended with code ${code}`);
}

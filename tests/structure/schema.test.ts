/** The tables as they are declared are the tables that migrations make. */
import assert from "node:assert/strict";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../src/schema.ts";
import { createdObjects } from "../../src/db/triggers.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { migrationsFolder } from "../../src/entry/box.ts";
import { schemaObjects } from "../../src/triggers.ts";
import { startApp } from "../support/app.ts";

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable)).map((table) =>
  getTableConfig(table)
);

Deno.test("each index has a name of its own, so that none takes the place of another", () => {
  const names = tables.flatMap(({ indexes }) => indexes.map(({ config }) => config.name));
  assert.deepEqual(names.filter((name, n) => names.indexOf(name) !== n), []);
});

Deno.test("a migrated database has every index that is declared", async () => {
  await using app = await startApp();
  const rows = await app.sql("select name from sqlite_master where type = 'index'");
  const there = new Set(rows.map(({ name }) => name));
  const declared = tables.flatMap(({ indexes }) => indexes.map(({ config }) => config.name));
  assert.deepEqual(declared.filter((name) => !there.has(name)), []);
});

Deno.test("a migrated database has exactly the triggers and full-text indexes that are declared", async () => {
  await using app = await startApp();
  const created = await app.sql(createdObjects);
  const sorted = (objects: readonly { readonly name?: unknown }[]) =>
    objects.map((object) => ({ ...object })).sort((a, b) => String(a.name) < String(b.name) ? -1 : 1);
  assert.deepEqual(sorted(created), sorted(schemaObjects));
});

Deno.test("migrations after the first release only add: an older version can still use the database", () => {
  const later = readMigrations(migrationsFolder).slice(2);
  const removing = /^\s*(?:drop\s+(?:table|view)|alter\s+table\s+\S+\s+(?:drop|rename)|delete\s+from)\b/im;
  const found = later.flatMap(({ tag, statements }) =>
    statements.filter((statement) => removing.test(statement)).map((statement) => `${tag}: ${statement}`)
  );
  assert.deepEqual(found, []);
});

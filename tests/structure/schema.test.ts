/** The tables as they are declared are the tables that migrations make. */
import assert from "node:assert/strict";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../src/schema.ts";
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

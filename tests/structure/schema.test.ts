/** Migrations create the declared tables, indexes and triggers. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { tables as declaredTables } from "../../src/schema.ts";
import { createdObjects } from "../../src/db/triggers.ts";
import type { Migration } from "../../src/platform/database/migrate.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { migrationsFolder } from "../../src/entry/box.ts";
import { schemaObjects } from "../../src/triggers.ts";
import { startApp } from "../support/app.ts";

const tables = declaredTables.map((table) => getTableConfig(table));

Deno.test("each index has a name of its own, so that none takes the place of another", () => {
  const names = tables.flatMap(({ indexes }) => indexes.map(({ config }) => config.name));
  assert.deepEqual(names.filter((name, n) => names.indexOf(name) !== n), []);
});

Deno.test("a migrated database has exactly the columns that are declared", async () => {
  await using app = await startApp();
  for (const { name, columns } of tables) {
    const rows = await app.sql(`select name from pragma_table_xinfo('${name}')`);
    assert.deepEqual(
      rows.map((row) => row.name).toSorted(),
      columns.map((column) => column.name).toSorted(),
      name,
    );
  }
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
  const sortByName = (objects: readonly { readonly name?: unknown }[]) =>
    objects.map((object) => ({ ...object })).sort((a, b) => String(a.name) < String(b.name) ? -1 : 1);
  assert.deepEqual(sortByName(created), sortByName(schemaObjects));
});

Deno.test("migrations after the first release only add: an older version can still use the database", () => {
  const [first, second, ...later] = readMigrations(migrationsFolder);
  assert.deepEqual([first?.tag, second?.tag], ["0000_first_release", "0001_first_release_triggers"]);
  assert.deepEqual(later.flatMap(removals), []);
});

Deno.test("a migration that drops, renames or deletes is found", () => {
  const adding = [
    "-- drop table words\nalter table users add nickname text",
    "drop index users_email",
    "drop trigger t",
    "create trigger t after delete on users begin\n  delete from users_search where rowid = old.id;\nend",
  ];
  const removing = [
    "DROP TABLE `users`",
    "drop table if exists users",
    "ALTER TABLE users DROP COLUMN name",
    "alter table `users` rename column name to title",
    "-- words\nalter table users rename to people",
    "delete from users",
  ];
  assert.deepEqual(
    removals({ tag: "0002_less", statements: [...adding, ...removing] }),
    removing.map((statement) => `0002_less: ${statement}`),
  );
});

Deno.test("a table that a migration makes anew keeps its columns, and an older version can still insert", () => {
  assert.deepEqual(faultsOfRebuilds(readMigrations(migrationsFolder)), []);
  const rebuilt = (columns: string): Migration[] => [
    { tag: "0000_first", statements: ["create table pets (id integer primary key, name text)"] },
    {
      tag: "0001_again",
      statements: [
        `create table \`__new_pets\` (${columns})`,
        "insert into `__new_pets` (id) select id from `pets` order by rowid",
        "drop table `pets`",
        "alter table `__new_pets` rename to `pets`",
      ],
    },
  ];
  const id = "id integer primary key";
  assert.deepEqual(faultsOfRebuilds(rebuilt(`${id}, name text, age integer`)), []);
  assert.deepEqual(faultsOfRebuilds(rebuilt(`${id}, name text, age integer not null default 0`)), []);
  assert.deepEqual(faultsOfRebuilds(rebuilt(`${id}, age integer`)), ["0001_again: pets.name is lost"]);
  assert.deepEqual(faultsOfRebuilds(rebuilt(`${id}, name text, age integer not null`)), [
    "0001_again: pets.age is needed",
  ]);
});

/** Columns that a rebuilt table loses, and new ones that an older version would have to fill. */
function faultsOfRebuilds(migrations: readonly Migration[]): string[] {
  const db = new DatabaseSync(":memory:");
  const readColumns = (table: string) =>
    db.prepare('select name, "notnull" as needed, dflt_value as otherwise, pk from pragma_table_info(?)')
      .all(table).map(({ name, needed, otherwise, pk }) => ({
        name,
        isNeeded: needed === 1 && otherwise === null && !pk,
      }));
  const faults = migrations.flatMap((migration) => {
    const before = new Map(madeAnew(migration).map((table) => [table, readColumns(table)]));
    for (const statement of migration.statements) db.exec(statement);
    return [...before].flatMap(([table, earlier]) => {
      const later = readColumns(table);
      const has = (columns: typeof later, name: unknown) => columns.some((column) => column.name === name);
      return [
        ...earlier.filter(({ name }) => !has(later, name)).map(({ name }) => `${table}.${name} is lost`),
        ...later.filter(({ name, isNeeded }) => isNeeded && !has(earlier, name))
          .map(({ name }) => `${table}.${name} is needed`),
      ].map((fault) => `${migration.tag}: ${fault}`);
    });
  });
  db.close();
  return faults;
}

/** The tables that a migration copies into new ones, which take their names. */
function madeAnew({ statements }: Migration): string[] {
  return statements.flatMap((statement) => {
    const [, table] = /^alter table `__new_(\w+)` rename to `\1`$/i.exec(statement) ?? [];
    const copy = new RegExp(`^insert into \`__new_${table}\`.* from \`${table}\` order by rowid$`, "is");
    return table && statements.some((one) => copy.test(one)) ? [table] : [];
  });
}

/** The statements of a migration that remove or rename what an older version uses. */
function removals({ tag, statements }: Migration): string[] {
  const anew = madeAnew({ tag, statements })
    .flatMap((table) => [`drop table \`${table}\``, `alter table \`__new_${table}\` rename to \`${table}\``]);
  const removing = /^\s*(?:drop\s+(?:table|view)|alter\s+table\s+\S+\s+(?:drop|rename)|delete\s+from)\b/im;
  // A delete inside a new trigger is no removal: it follows the rows of the trigger's table.
  const made = /^\s*create\s+trigger\b/i;
  return statements.filter((statement) => !made.test(statement) && removing.test(statement))
    .filter((statement) => !anew.includes(statement.toLowerCase()))
    .map((statement) => `${tag}: ${statement}`);
}

/** Each feature declares what its columns name, and what happens when that is removed. */
import assert from "node:assert/strict";
import { is } from "drizzle-orm";
import { getTableConfig, index, integer, SQLiteTable, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { listCascades } from "../../src/db/cascades.ts";
import { cascadeAtOnce, declareReferences, References, removableKinds } from "../../src/db/references.ts";
import { folders } from "../../src/library/table.ts";
import { references, tables } from "../../src/schema.ts";

const parts: readonly unknown[] = [...tables, ...references];

Deno.test("every column that looks like a reference is declared beside its table", () => {
  assert.deepEqual(findUndeclared(parts), []);
});

Deno.test("every table declares its references once", () => {
  const names = declarations(parts).map(({ table }) => table);
  assert.deepEqual(names.filter((name, place) => names.indexOf(name) !== place), []);
});

Deno.test("an undeclared column is found, by its foreign key, its name or its filter", () => {
  const things = sqliteTable("things", {
    id: text().primaryKey(),
    company_id: integer(),
    place: text().references(() => folders.id),
    team_id: integer(),
    user_ids: text(),
    created_by: integer(),
    kept_for: integer(),
    filters: text(),
    name: text(),
  }, (table) => [index("things_by_team").on(table.team_id)]);
  assert.deepEqual(findUndeclared([things]), [
    "things.place",
    "things.team_id",
    "things.user_ids",
    "things.created_by",
    "things.kept_for",
    "things.filters",
  ]);
  const some = declareReferences(things, { team_id: { team: "keep" }, filters: "no filter" });
  assert.deepEqual(findUndeclared([things, some]).length, 4);
});

Deno.test("rows that go at once are declared for users, whose removal deletes them", () => {
  const kinds = removableKinds.filter((kind) => listCascades(declarations(parts), kind).length > 0);
  assert.deepEqual(kinds, ["user"]);
  const things = sqliteTable("things", { id: text().primaryKey(), user_id: integer(), team_id: integer() });
  const some = declareReferences(things, { user_id: { user: cascadeAtOnce }, team_id: { team: "cascade" } });
  assert.deepEqual(listCascades([some], "user"), [{ table: "things", column: "user_id" }]);
  assert.deepEqual(listCascades([some], "team"), []);
});

function declarations(of: readonly unknown[]): References[] {
  return of.filter((part) => part instanceof References);
}

/** The columns that look like references and are declared by nobody, such as `tasks.user_id`. */
function findUndeclared(of: readonly unknown[]): string[] {
  const declared = new Map(declarations(of).map(({ table, columns }) => [table, columns]));
  return of.filter((part) => is(part, SQLiteTable)).map((table) => getTableConfig(table)).flatMap((table) => {
    const keys = new Set(
      table.foreignKeys.flatMap((key) => key.reference().columns.map(({ name }) => name)),
    );
    return table.columns.map(({ name }) => name)
      .filter((name) => name !== "company_id" && (keys.has(name) || isNamedLikeOne(name)))
      .filter((name) => declared.get(table.name)?.[name] === undefined)
      .map((name) => `${table.name}.${name}`);
  });
}

function isNamedLikeOne(name: string): boolean {
  return /_(ids?|by|for)$|^filters?$/.test(name);
}

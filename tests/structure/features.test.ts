import assert from "node:assert/strict";
import { fileCycles } from "./cycles.ts";
import { foreignTables, tablesInDb, valueCycles } from "./features.ts";
import { readSources } from "./imports.ts";
import { sharedTables, tablesKnownToDb } from "./shared_tables.ts";

const sources = readSources(new URL("../../", import.meta.url));
const listFiles = (files: Record<string, string>) =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

const importing = (name: string, of: string) => `import { ${name} } from "${of}";`;

Deno.test("SQL names a table of another feature only where the list has a line for it", () => {
  const listed = sharedTables.flatMap(({ table, features }) =>
    features.map((feature) => `${feature}: ${table}`)
  );
  assert.deepEqual(foreignTables(sources), listed.sort());
  assert.deepEqual(sharedTables.filter(({ reason }) => reason === ""), []);
});

Deno.test("db names no table of a record: what is about records is contributed by their features", () => {
  assert.deepEqual(tablesInDb(sources), tablesKnownToDb.flatMap(({ tables }) => tables).sort());
});

Deno.test("the check finds a table of a feature in db, in SQL and in a list of names", () => {
  const table = { "src/sales/leads/table.ts": 'sqliteTable("leads", {})' };
  for (const text of ["sql`delete from leads`", "sql`leads`", '["leads", "expires_at"]']) {
    assert.deepEqual(tablesInDb(listFiles({ ...table, "src/db/expiry.ts": text })), ["leads"], text);
    assert.deepEqual(tablesInDb(listFiles({ ...table, "src/lists/list.ts": text })), [], text);
  }
  assert.deepEqual(tablesInDb(listFiles({ ...table, "src/db/expiry.ts": "// from leads" })), []);
});

Deno.test("no feature of a wing reaches itself by imports of values", () => {
  assert.deepEqual(valueCycles(sources), []);
});

Deno.test("no file reaches itself by its imports, be it of types alone", () => {
  assert.deepEqual(fileCycles(sources), []);
  const circle = {
    "src/sales/leads/record.ts": 'import type { Shown } from "./present.ts";',
    "src/sales/leads/present.ts": 'import { type Lead } from "./body.ts";',
    "src/sales/leads/body.ts": 'export type { Lead } from "./record.ts";',
  };
  assert.deepEqual(fileCycles(listFiles(circle)), [
    "src/sales/leads/record.ts -> src/sales/leads/present.ts -> src/sales/leads/body.ts -> src/sales/leads/record.ts",
  ]);
  assert.deepEqual(
    fileCycles(listFiles({ ...circle, "src/sales/leads/body.ts": "export interface Lead {}" })),
    [],
  );
});

Deno.test("the check finds a table after from, join, update and into, in any feature but its own", () => {
  const table = { "src/sales/leads/table.ts": 'sqliteTable("leads", {})' };
  for (
    const text of [
      "select 1 from leads",
      "join leads on",
      "update leads set",
      "insert into leads values",
    ]
  ) {
    const sql = `export const read = sql\`${text}\`;`;
    assert.deepEqual(
      foreignTables(listFiles({ ...table, "src/sales/cases/queries.ts": sql })),
      [
        "sales/cases: leads",
      ],
    );
    assert.deepEqual(
      foreignTables(listFiles({ ...table, "src/sales/leads/queries.ts": sql })),
      [],
    );
    assert.deepEqual(
      foreignTables(
        listFiles({ ...table, "src/sales/cases/queries.ts": `// ${sql}` }),
      ),
      [],
    );
  }
});

Deno.test("the check finds features that reach themselves by imports of values, but not of types", () => {
  const leads = { "src/sales/leads/get.ts": importing("a", "../cases/get.ts") };
  const both = { ...leads, "src/sales/cases/get.ts": importing("b", "../leads/get.ts") };
  assert.deepEqual(valueCycles(listFiles(both)), ["sales/cases -> sales/leads -> sales/cases"]);
  const types = { ...leads, "src/sales/cases/get.ts": `import type { b } from "../leads/get.ts";` };
  assert.deepEqual(valueCycles(listFiles(types)), []);
});

Deno.test("the check finds ways over several features, and over a file at the root of the wing", () => {
  const way = {
    "src/sales/leads/get.ts": importing("a", "../cases/get.ts"),
    "src/sales/cases/get.ts": importing("b", "../tasks/get.ts"),
    "src/sales/agency/get.ts": importing("d", "../leads/get.ts"),
  };
  assert.deepEqual(valueCycles(listFiles(way)), []);
  assert.deepEqual(
    valueCycles(listFiles({ ...way, "src/sales/tasks/get.ts": importing("c", "../leads/get.ts") })),
    ["sales/cases -> sales/tasks -> sales/leads -> sales/cases"],
  );
  const barrel = { "src/sales/all.ts": `export * from "./leads/get.ts";` };
  assert.deepEqual(
    valueCycles(listFiles({ ...way, ...barrel, "src/sales/tasks/get.ts": importing("c", "../all.ts") })),
    ["sales/all.ts -> sales/leads -> sales/cases -> sales/tasks -> sales/all.ts"],
  );
});

import assert from "node:assert/strict";
import { foreignTables, valueCycles } from "./features.ts";
import { readSources } from "./imports.ts";
import { knownCycles, sharedTables } from "./shared_tables.ts";

const sources = readSources(new URL("../../", import.meta.url));
const filesOf = (files: Record<string, string>) =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

Deno.test("SQL names a table of another feature only where the list has a line for it", () => {
  const listed = sharedTables.flatMap(({ table, features }) =>
    features.map((feature) => `${feature}: ${table}`)
  );
  assert.deepEqual(foreignTables(sources), listed.sort());
  assert.deepEqual(sharedTables.filter(({ reason }) => reason === ""), []);
});

Deno.test("no two features of a wing import each other's values, but for the listed pairs", () => {
  assert.deepEqual(valueCycles(sources), [...knownCycles]);
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
      foreignTables(filesOf({ ...table, "src/sales/cases/queries.ts": sql })),
      [
        "sales/cases: leads",
      ],
    );
    assert.deepEqual(
      foreignTables(filesOf({ ...table, "src/sales/leads/queries.ts": sql })),
      [],
    );
    assert.deepEqual(
      foreignTables(
        filesOf({ ...table, "src/sales/cases/queries.ts": `// ${sql}` }),
      ),
      [],
    );
  }
});

Deno.test("the check finds features that import each other's values, but not their types", () => {
  const leads = {
    "src/sales/leads/get.ts": 'import { a } from "../cases/get.ts";',
  };
  const values = {
    ...leads,
    "src/sales/cases/get.ts": 'import { b } from "../leads/get.ts";',
  };
  assert.deepEqual(valueCycles(filesOf(values)), [
    "sales/cases <-> sales/leads",
  ]);
  const types = {
    ...leads,
    "src/sales/cases/get.ts": 'import type { b } from "../leads/get.ts";',
  };
  assert.deepEqual(valueCycles(filesOf(types)), []);
});

import assert from "node:assert/strict";
import { importFaults, readSources } from "./imports.ts";

Deno.test("imports of src run up the layers only", () => {
  const sources = readSources(new URL("../../", import.meta.url));
  assert.ok(sources.length > 0);
  assert.deepEqual(importFaults(sources), []);
});

/** Takes files by path; returns the faults without the path. */
function findFaults(files: Record<string, string>): string[] {
  return importFaults(Object.entries(files).map(([path, text]) => ({ path, text })));
}

const emptyFile = "export const one = 1;\n";

Deno.test("a lower layer may not import a higher one, in any form of import", () => {
  const higher = { "src/db/scope.ts": emptyFile };
  for (
    const statement of [
      `import { one } from "../db/scope.ts";`,
      `import type { one } from "../db/scope.ts";`,
      `import {\n  one,\n} from "../db/scope.ts";`,
      `export * from "../db/scope.ts";`,
      `import "../db/scope.ts";`,
      `const scope = await import("../db/scope.ts");`,
    ]
  ) {
    assert.equal(findFaults({ ...higher, "src/core/ids.ts": statement }).length, 1, statement);
  }
  assert.deepEqual(
    findFaults({ ...higher, "src/http/lists.ts": `import { one } from "../db/scope.ts";` }),
    [],
  );
});

Deno.test("peers do not import each other, but a layer imports itself", () => {
  const delivery = { "src/delivery/webhooks/create.ts": emptyFile };
  const statement = `import { one } from "../../delivery/webhooks/create.ts";`;
  assert.equal(findFaults({ ...delivery, "src/insight/reports/create.ts": statement }).length, 1);
  assert.deepEqual(findFaults({ ...delivery, "src/delivery/mails/create.ts": statement }), []);
  assert.deepEqual(findFaults({ ...delivery, "src/integration/feed/create.ts": statement }), []);
});

Deno.test("fields stand below the database, and later work, filters and staged work between http and the wings", () => {
  const inLayer = (from: string, to: string) =>
    findFaults({
      [`src/${to}/b.ts`]: emptyFile,
      [`src/${from}/a.ts`]: `import { one } from "../${to}/b.ts";`,
    })
      .length;
  const layers = ["core", "platform", "fields", "db", "lists", "http", "later", "staged"];
  layers.slice(1).forEach((layer, index) => {
    assert.equal(inLayer(layer, layers[index]!), 0, layer);
    assert.equal(inLayer(layers[index]!, layer), 1, layer);
  });
  assert.equal(inLayer("filters", "staged"), 1);
  assert.equal(inLayer("staged", "filters"), 1);
});

Deno.test("another feature's tables are read by table files and the command line only", () => {
  const table = { "src/identity/users/table.ts": emptyFile };
  const statement = `import { one } from "../../identity/users/table.ts";`;
  assert.equal(findFaults({ ...table, "src/sales/leads/queries.ts": statement }).length, 1);
  assert.deepEqual(findFaults({ ...table, "src/sales/leads/table.ts": statement }), []);
  assert.deepEqual(
    findFaults({ ...table, "src/identity/users/queries.ts": `import { one } from "./table.ts";` }),
    [],
  );
  assert.equal(
    findFaults({ ...table, "src/schema.ts": `export * from "./identity/users/table.ts";` }).length,
    1,
  );
  assert.deepEqual(
    findFaults({ ...table, "src/cli/seed.ts": `import { one } from "../identity/users/table.ts";` }),
    [],
  );
});

Deno.test("another feature takes schemas and presenters of a record's file, but its table for keys only", () => {
  const record = { "src/sales/vans/record.ts": `export const vans = sqliteTable("vans", columns(members));` };
  const taking = (names: string) => `import { ${names} } from "../vans/record.ts";`;
  assert.equal(findFaults({ ...record, "src/sales/leads/queries.ts": taking("Van, vans") }).length, 1);
  assert.deepEqual(findFaults({ ...record, "src/sales/leads/queries.ts": taking("Van, type vans") }), []);
  assert.deepEqual(findFaults({ ...record, "src/sales/leads/record.ts": taking("vans") }), []);
  const own = `import { vans } from "./record.ts";`;
  assert.deepEqual(findFaults({ ...record, "src/sales/vans/queries.ts": own }), []);
});

Deno.test("node modules and Deno globals stand in entry, cli and platform only", () => {
  for (const text of [`import { scrypt } from "node:crypto";`, `Deno.cwd();`]) {
    assert.equal(findFaults({ "src/http/endpoint.ts": text }).length, 1, text);
    assert.deepEqual(findFaults({ "src/platform/password.ts": text }), []);
  }
  assert.deepEqual(findFaults({ "src/http/endpoint.ts": "// Deno.cwd() is not for here\n" }), []);
});

Deno.test("deps.ts is types only, for db and above, and imported as types", () => {
  const deps = { "src/deps.ts": "export interface Deps {}\n" };
  assert.deepEqual(
    findFaults({ ...deps, "src/db/commit.ts": `import type { Deps } from "../deps.ts";` }),
    [],
  );
  assert.deepEqual(
    findFaults({ ...deps, "src/db/commit.ts": `import { type Deps } from "../deps.ts";` }),
    [],
  );
  assert.equal(findFaults({ ...deps, "src/db/commit.ts": `import { Deps } from "../deps.ts";` }).length, 1);
  assert.equal(
    findFaults({ ...deps, "src/core/ids.ts": `import type { Deps } from "../deps.ts";` }).length,
    1,
  );
  assert.equal(findFaults({ "src/deps.ts": "export const deps = {};\n" }).length, 1);
  assert.equal(
    findFaults({ "src/core/ids.ts": emptyFile, "src/deps.ts": `import { one } from "./core/ids.ts";` })
      .length,
    1,
  );
});

Deno.test("config.ts is known from platform upwards, schema.ts to the command line only", () => {
  const config = { "src/config.ts": emptyFile };
  assert.deepEqual(
    findFaults({ ...config, "src/platform/mail/smtp.ts": `import { one } from "../../config.ts";` }),
    [],
  );
  assert.equal(findFaults({ ...config, "src/core/ids.ts": `import { one } from "../config.ts";` }).length, 1);
  const schema = { "src/schema.ts": emptyFile };
  assert.deepEqual(findFaults({ ...schema, "src/cli/seed.ts": `import { one } from "../schema.ts";` }), []);
  assert.equal(findFaults({ ...schema, "src/app.ts": `import { one } from "./schema.ts";` }).length, 1);
});

Deno.test("a feature says what it contributes to features.ts alone, and imports its own endpoints", () => {
  const files = {
    "src/feature.ts": "export interface one {}",
    "src/sales/leads/feature.ts": emptyFile,
    "src/sales/leads/routes.ts": emptyFile,
  };
  const faults = (path: string, of: string, what = "one") =>
    findFaults({ ...files, [path]: `import { ${what} } from "${of}";` }).length;
  assert.equal(faults("src/features.ts", "./sales/leads/feature.ts"), 0);
  assert.equal(faults("src/sales/cases/feature.ts", "../leads/feature.ts"), 1);
  assert.equal(faults("src/sales/leads/feature.ts", "./routes.ts"), 0);
  assert.equal(faults("src/sales/cases/feature.ts", "../leads/routes.ts"), 1);
  assert.equal(faults("src/sales/leads/feature.ts", "../../feature.ts", "type one"), 0);
  assert.equal(faults("src/sales/leads/queries.ts", "../../feature.ts", "type one"), 1);
  assert.equal(faults("src/sales/leads/feature.ts", "../../feature.ts"), 1);
});

Deno.test("nothing that the Workers entry reaches uses what workerd lacks", () => {
  const worker = { "src/entry/worker.ts": `import { one } from "../platform/file.ts";` };
  assert.equal(
    findFaults({ ...worker, "src/platform/file.ts": `import { DatabaseSync } from "node:sqlite";` }).length,
    1,
  );
  assert.equal(findFaults({ ...worker, "src/platform/file.ts": `Deno.open("x");` }).length, 1);
  assert.deepEqual(
    findFaults({ ...worker, "src/platform/file.ts": `import { scrypt } from "node:crypto";` }),
    [],
  );
});

Deno.test("packages are named in deno.json, and an import that leads nowhere is a fault", () => {
  assert.equal(findFaults({ "src/core/ids.ts": `import { uuidv7 } from "npm:uuidv7";` }).length, 1);
  assert.equal(findFaults({ "src/core/ids.ts": `import { one } from "./gone.ts";` }).length, 1);
  assert.equal(findFaults({ "src/extra/ids.ts": emptyFile }).length, 1);
});

Deno.test("of all that stands outside of src only the list of migrations is imported", () => {
  const importing = (target: string) =>
    findFaults({
      "src/platform/database/tags.ts": `import x from "../../../${target}" with { type: "json" };`,
    });
  assert.deepEqual(importing("drizzle/meta/_journal.json"), []);
  assert.equal(importing("drizzle/meta/0001_snapshot.json").length, 1);
  assert.equal(importing("deno.json").length, 1);
});

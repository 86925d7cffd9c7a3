/**
 * Fails when an import of `src` violates the order of the layers or of the features. Part of
 * `deno task check`.
 */
import { fileCycles } from "./cycles.ts";
import { foreignTables, valueCycles } from "./features.ts";
import { importFaults, readSources } from "./imports.ts";
import { sharedTables } from "./shared_tables.ts";

const sources = readSources(new URL("../../", import.meta.url));
const listed = new Set(
  sharedTables.flatMap(({ table, features }) => features.map((one) => `${one}: ${table}`)),
);
const faults = [
  ...importFaults(sources),
  ...foreignTables(sources).filter((line) => !listed.has(line))
    .map((line) => `${line} is a table of another feature: add it to tests/structure/shared_tables.ts`),
  ...valueCycles(sources).map((way) => `${way} is a cycle of features`),
  ...fileCycles(sources).map((way) =>
    `${way} is a circle of files: move what both need to a file below both`
  ),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) Deno.exit(1);
console.log(`Checked the imports of ${sources.length} files`);

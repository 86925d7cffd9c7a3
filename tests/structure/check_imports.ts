/** Fails when an import of `src` runs against the order of the layers; part of `deno task check`. */
import { importFaults, readSources } from "./imports.ts";

const sources = readSources(new URL("../../", import.meta.url));
const faults = importFaults(sources);
for (const fault of faults) console.error(fault);
if (faults.length > 0) Deno.exit(1);
console.log(`Checked the imports of ${sources.length} files`);

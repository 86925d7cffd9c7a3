/** The packages of a first start. Imports no package, because it runs before they are there. */
import { exists } from "./built.ts";

/**
 * Returns the options of `deno install`: none where packages are installed, else the module `entry` that uses most of
 * them, after a line on standard error. Deno takes all packages of the lock file either way; without an entry it reads
 * the whole history of each first, for three times as long.
 */
export function installOptions(entry: string): string[] {
  if (exists("node_modules")) return [];
  console.error("Fetching packages; this happens once …");
  return ["--entrypoint", entry];
}

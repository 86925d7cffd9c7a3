/** Options for the first installation. Imports no package, because it runs before there are any. */
import { exists } from "./builds.ts";

/**
 * Returns the options of `deno install`: none if packages are installed; else the module `entry`, which uses
 * most of them, after a line on standard error. Deno installs all packages of the lock file either way, but
 * without an entry it first reads the whole history of each, which takes three times as long.
 */
export function installOptions(entry: string): string[] {
  if (exists("node_modules")) return [];
  console.error("Fetching packages; this happens once …");
  return ["--entrypoint", entry];
}

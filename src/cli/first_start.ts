/**
 * Prints the arguments with which `deno task dev` and `deno task build` install the packages: where none are installed, those of what
 * `dev` runs, and a line on standard error. Deno takes all packages of the lock file either way; without an entry it
 * reads the whole history of each first, for three times as long.
 */
import { exists } from "../entry/built.ts";

if (import.meta.main && !exists("node_modules")) {
  console.error("Fetching packages; this happens once …");
  console.log("--entrypoint src/cli/dev.ts");
}

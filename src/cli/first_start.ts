/**
 * Prints the arguments with which `deno task dev` installs the packages: where none are installed, those of what it
 * runs, and a line on standard error. Deno takes all packages of the lock file either way; without an entry it
 * reads the whole history of each first, for three times as long.
 */
if (import.meta.main && !hasPackages()) {
  console.error("Fetching packages; this happens once …");
  console.log("--entrypoint src/cli/dev.ts");
}

function hasPackages(): boolean {
  try {
    return Deno.statSync("node_modules").isDirectory;
  } catch {
    return false;
  }
}

/** Explains why the first start takes longer: the next command fetches the packages without output. */
if (import.meta.main && !hasPackages()) {
  console.log("Fetching packages; this happens once …");
}

function hasPackages(): boolean {
  try {
    return Deno.statSync("node_modules").isDirectory;
  } catch {
    return false;
  }
}

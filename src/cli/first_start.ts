/** Explains why the first start takes longer: Deno fetches the packages silently. */
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

/** Packages that only developers run: `tests/deno.json` pins them. */

/** Returns the specifier of a package, `npm:` with a name and a version. */
export function readPinnedPackage(name: string): string {
  const text = Deno.readTextFileSync(new URL("../../tests/deno.json", import.meta.url));
  const { imports } = JSON.parse(text) as { imports: Record<string, string> };
  return imports[name]!;
}

/** Where the browser for the tests of pages is. */
import { join } from "node:path";

/** The program that `CHROMIUM` names, or the first of its names in `PATH`; null for none. */
export const program = Deno.env.get("CHROMIUM") ??
  inPath(["chromium-headless-shell", "chromium", "chromium-browser"]);

/** How it starts: without a sandbox for the superuser, who cannot have one. */
export const launchOptions = { chromiumSandbox: Deno.uid() !== 0, args: ["--disable-gpu"] };

function inPath(names: readonly string[]): string | null {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    for (const name of names) {
      const file = join(folder, name);
      try {
        if (Deno.statSync(file).isFile) return file;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

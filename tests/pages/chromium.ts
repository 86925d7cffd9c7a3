/** A real browser for the tests of pages, if there is one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** The program that `CHROMIUM` names, or the first of its names in `PATH`; null for none. */
export const program = Deno.env.get("CHROMIUM") ??
  inPath(["chromium-headless-shell", "chromium", "chromium-browser"]);
const isCi = Deno.env.get("CI") === "true";

let running: Promise<Browser> | undefined;

/** Registers a test with a browser. The tests of a file share the browser. */
export function browserTest(name: string, test: (browser: Browser) => Promise<void>): void {
  Deno.test({
    name,
    ignore: program === null && !isCi,
    async fn() {
      assert.ok(program, "chromium is required where CI=true");
      running ??= chromium.launch({
        executablePath: program,
        chromiumSandbox: Deno.uid() !== 0,
        args: ["--disable-gpu"],
      });
      await test(await running);
    },
  });
}

Deno.test.afterAll(async () => await (await running)?.close());

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

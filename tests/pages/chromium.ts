/** A real browser for the tests of pages, if there is one. */
import assert from "node:assert/strict";
import { type Browser, chromium } from "playwright-core";
import { launchOptions, program } from "./program.ts";

const isCi = Deno.env.get("CI") === "true";

let running: Promise<Browser> | undefined;

/** Registers a test with a browser. The tests of a file share the browser. */
export function browserTest(name: string, test: (browser: Browser) => Promise<void>): void {
  Deno.test({
    name,
    ignore: program === null && !isCi,
    async fn() {
      assert.ok(program, "chromium is required where CI=true");
      running ??= chromium.launch({ executablePath: program, ...launchOptions });
      await test(await running);
    },
  });
}

Deno.test.afterAll(async () => await (await running)?.close());

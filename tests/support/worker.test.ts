import assert from "node:assert/strict";
import { startDev } from "./worker.ts";

Deno.test("a worker runs in workerd with its variables, and its cron runs at the time given", async () => {
  const vars = { DATABASE_URL: "http://127.0.0.1:1", WORDS: `{"a": "b c"}` };
  const worker = await startDev({ vars, entry: "tests/support/fixtures/worker.ts" });
  try {
    const inThreeDays = Date.now() + 3 * 86_400_000;
    await worker.runScheduled(inThreeDays);
    const reported = await (await fetch(worker.url)).json();
    // The binding of the static assets is of `wrangler.toml`, as the tasks use it.
    const env = { ...vars, ASSETS: {} };
    assert.deepEqual(reported, { env, runs: [inThreeDays], runtime: "Cloudflare-Workers" });
    await assert.rejects(worker.runScheduled(0), /500 exception/);
    assert.match(worker.output(), /Ready on/);
  } finally {
    await worker.close();
  }
  await assert.rejects(fetch(worker.url), TypeError);
});

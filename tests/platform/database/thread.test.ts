import assert from "node:assert/strict";
import { DatabaseUnavailable } from "../../../src/platform/database/database.ts";
import { startThread } from "../../../src/platform/database/thread.ts";

Deno.test("a thread that fails rejects its questions and reports its end once", async () => {
  const script = encodeURIComponent(`
      import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => { throw new Error("broken"); });
    `);
  const module = `data:text/javascript,${script}`;
  let ends = 0;
  const thread = startThread<string, string>(module, null, () => ends++);
  await assert.rejects(thread.ask("first"), DatabaseUnavailable);
  await thread.end();
  assert.equal(ends, 1);
});

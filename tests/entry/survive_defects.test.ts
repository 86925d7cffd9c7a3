import assert from "node:assert/strict";
import { surviveDefects } from "../../src/entry/survive_defects.ts";
import { pause } from "../../src/platform/pause.ts";
import { memoryLog } from "../support/ports.ts";

Deno.test("an error that nobody handles is logged as a defect, and the process lives", async () => {
  const log = memoryLog();
  const defects = surviveDefects(log);
  try {
    const rejected = Promise.reject(new Error("rejected"));
    setTimeout(() => {
      throw new Error("thrown");
    });
    await pause(50);
    await assert.rejects(rejected);
  } finally {
    defects.stop();
  }
  const seen = log.entries.map(({ event, error }) => `${event}: ${error}`).sort();
  assert.deepEqual(seen, ["defect: Error: rejected", "defect: Error: thrown"]);
  assert.equal(defects.count, 2);
});

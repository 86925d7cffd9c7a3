import assert from "node:assert/strict";
import { memoryFlags } from "../../src/entry/launch.ts";
import { runCommand } from "../support/process.ts";

/** The heap as a multiple of what is in use; V8 alone lets it grow to five times as much. */
const most = 3.5;

Deno.test("garbage that has survived collections of new objects takes little beside what is in use", async () => {
  const fixture = new URL("./fixtures/surviving_garbage.ts", import.meta.url).pathname;
  const { stdout } = await runCommand(["run", "-q", "-A", "--no-config", memoryFlags, fixture], {});
  const times = Number(stdout);
  assert.ok(times >= 1 && times <= most, `${times} times as much`);
});

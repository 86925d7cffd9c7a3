import assert from "node:assert/strict";
import { memoryFlags } from "../../src/entry/launch.ts";
import { runCommand } from "../support/process.ts";

/** Bytes; with space for 16 MB of new objects from the beginning it is 42 MB. */
const most = 30 * 1024 * 1024;

Deno.test("a busy thread of the service takes little memory for new objects", async () => {
  const fixture = new URL("./fixtures/busy_threads.ts", import.meta.url).pathname;
  const { stdout } = await runCommand(["run", "-q", "-A", "--no-config", memoryFlags, fixture], {});
  const bytes = Number(stdout);
  assert.ok(bytes > 0 && bytes <= most, `${bytes} bytes a thread`);
});

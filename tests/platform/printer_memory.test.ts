import assert from "node:assert/strict";

/** MiB: the largest allowed pictures decode to 128 MiB, and the library needs them about three times. */
const most = 600;

Deno.test("the documents that need most memory of those that are allowed take a bounded part", async () => {
  const script = new URL("./printer_memory.ts", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--config", "tests/deno.json", script],
  }).output();
  const [written, faults] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.ok(success, faults);
  const lines = written!.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, 3);
  const [small, ...large] = lines;
  for (const { name, mebibytes } of large) {
    assert.ok(mebibytes - small.mebibytes <= most, `${name}: ${mebibytes - small.mebibytes} MiB`);
  }
});

import assert from "node:assert/strict";
import { Total } from "./total.ts";

const good =
  "\x1b[32mok\x1b[0m | 13 passed (2 steps) | 0 failed | 1 ignored (1 step) \x1b[38;5;245m(1m2s)\x1b[0m\n";
const bad =
  "...\n\n FAILURES \n\nsums are right => ./sum.test.ts:1:6\n\nFAILED | 4 passed | 1 failed (1 step) (7ms)\n";

Deno.test("tests and steps of several runs are added up, and no word that one run lacks is lost", () => {
  const total = new Total();
  total.add("one", good, 0);
  total.add("two", "ok | 5 passed (3 steps) | 0 failed | 2 filtered out (10ms)\n", 0);
  assert.ok(total.isGood());
  assert.match(
    total.text(),
    /^ok \| 18 passed \(5 steps\) \| 0 failed \| 1 ignored \(1 step\) \| 2 filtered out \(0s\)$/,
  );
});

Deno.test("failed tests are named before the total", () => {
  const total = new Total();
  total.add("one", bad, 1);
  total.add("two", good, 0);
  assert.ok(!total.isGood());
  assert.match(
    total.text(),
    /^Failed:\n\nsums are right => .+:6\n\nFAILED \| 17 passed \(2 steps\) \| 1 failed \(1 step\) \| 1 ignored/,
  );
});

Deno.test("a run that ends early counts as a failed test", () => {
  for (const [output, code] of [["", 0], ["", 137], [good, 1]] as const) {
    const total = new Total();
    total.add("sums", output, code);
    assert.ok(!total.isGood(), `${output} ${code}`);
    assert.match(total.text(), /^Failed:\n\nsums ended early, with \d+\n\nFAILED \| .* 1 failed/);
  }
});

Deno.test("what a test prints does not count as its run's last lines", () => {
  const total = new Total();
  total.add("one", `FAILED | 9 passed | 9 failed (1ms)\n${bad}ok | 2 passed | 0 failed (900µs)\n`, 0);
  assert.match(total.text(), /^ok \| 2 passed \| 0 failed \(0s\)$/);
});

/** Large pages are written one after the other: together they would hold up other calls and fill the memory. */
import assert from "node:assert/strict";
import { Problem } from "../../src/core/errors.ts";
import { Json } from "../../src/core/json.ts";
import { presentRecords } from "../../src/http/large_pages.ts";

const rows = Array.from({ length: 24 }, (_, n) => ({ n }));
const large = "x".repeat(256 * 1024);
/** One stretch has five of these records. */
const record = new Json(large);

Deno.test("large pages that are requested together are written one after the other", async () => {
  const order: string[] = [];
  const write = (name: string) =>
    presentRecords(1, rows, ({ n }) => {
      order.push(`${name}${n}`);
      return record;
    });
  const pages = await Promise.all([write("a"), write("b"), write("c")]);
  assert.deepEqual(pages.map((page) => page.length), [24, 24, 24]);
  const goingOn = order.filter((each) => each !== "." && Number(each.slice(1)) > 4).map((each) => each[0]);
  assert.deepEqual(goingOn, goingOn.toSorted());
});

Deno.test("very many large pages at once get some 503, and small pages are always written", async () => {
  const pages = Array.from(
    { length: 40 },
    () => presentRecords(1, rows, () => record),
  );
  const small = await presentRecords(1, rows.slice(0, 2), () => record);
  assert.equal(small.length, 2);
  const ended = await Promise.allSettled(pages);
  const refused = ended.flatMap((each) => each.status === "rejected" ? [each.reason] : []);
  assert.equal(refused.length, 40 - 21);
  for (const refusal of refused) {
    assert.ok(refusal instanceof Problem);
    assert.deepEqual([refusal.status, refusal.more.headers], [503, {
      "Retry-After": "1",
    }]);
  }
  assert.equal((await presentRecords(1, rows, () => record)).length, 24);
});

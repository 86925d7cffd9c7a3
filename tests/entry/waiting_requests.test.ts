/** Requests that arrive together begin a few per turn of the event loop. */
import assert from "node:assert/strict";
import { Bursts } from "../../src/entry/connections.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

Deno.test("a burst begins a bounded number of requests per turn, in order", async () => {
  const bursts = new Bursts(4);
  const begun: number[] = [];
  for (let n = 0; n < 10; n++) bursts.take(() => false, () => begun.push(n));
  assert.deepEqual(begun, [0, 1, 2, 3]);
  await nextTurn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7]);
  // A newcomer does not overtake those that wait.
  bursts.take(() => false, () => begun.push(10));
  await nextTurn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

Deno.test("requests whose clients disconnected are dropped and take no place of others", async () => {
  const bursts = new Bursts(2);
  const begun: number[] = [];
  const gone = new Set<number>();
  for (let n = 0; n < 1_000; n++) bursts.take(() => gone.has(n), () => begun.push(n));
  for (let n = 2; n < 998; n++) gone.add(n);
  await nextTurn();
  assert.deepEqual(begun, [0, 1, 998, 999]);
});

Deno.test("after a quiet turn a request begins immediately", async () => {
  const bursts = new Bursts(1);
  const begun: string[] = [];
  bursts.take(() => false, () => begun.push("first"));
  await nextTurn();
  bursts.take(() => false, () => begun.push("second"));
  assert.deepEqual(begun, ["first", "second"]);
});

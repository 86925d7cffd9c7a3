/** The time of a read begins when what it waits for has started. */
import assert from "node:assert/strict";
import { TookTooLong } from "../../../src/platform/database/database.ts";
import { withDeadline } from "../../../src/platform/database/retry.ts";

/** Waits for something that has started when `start` is called. */
function starting() {
  const asked = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let waits: Promise<void> | null = started.promise.then(() => void (waits = null));
  const heldBy = () => {
    asked.resolve();
    return waits;
  };
  return { heldBy, asked: asked.promise, start: started.resolve };
}

Deno.test("a start does not count as time of the first read", async () => {
  const { heldBy, asked, start } = starting();
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = withDeadline(5, promise, () => assert.fail("abandoned"), heldBy);
  await asked;
  resolve("rows");
  start();
  assert.equal(await read, "rows");
});

Deno.test("a read that is late after the start is abandoned", async () => {
  const { heldBy, asked, start } = starting();
  let isAbandoned = false;
  const read = withDeadline(5, new Promise(() => {}), () => isAbandoned = true, heldBy);
  await asked;
  assert.equal(isAbandoned, false);
  start();
  await assert.rejects(read, TookTooLong);
  assert.equal(isAbandoned, true);
});

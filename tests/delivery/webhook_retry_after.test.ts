import assert from "node:assert/strict";
import { hour, ladder, minute, readDeliveryId, withHooks } from "./webhook_world.ts";

const asking = (value: string, status = 503) => ({ status, headers: { "Retry-After": value } });

withHooks("Retry-After is respected, in seconds or as a date", async (hooks) => {
  const { target, subscribe, happens, later, delivery } = hooks;
  await subscribe();
  target.answer(asking("600", 429), asking("Mon, 02 Mar 2026 11:00:00 GMT"), 200);
  await happens();
  const { next_attempt_at } = await delivery(readDeliveryId(target.received[0]!));
  // The seconds count from the answer.
  assert.match(next_attempt_at, /^2026-03-02 09:10:0[0-4]$/);
  assert.equal(await later(10 * minute - 1), 0);
  assert.equal(await later(5_000), 1);
  assert.equal((await delivery(readDeliveryId(target.received[0]!))).next_attempt_at, "2026-03-02 11:00:00");
  assert.equal(await later(hour + 49 * minute), 0);
  assert.equal(await later(minute), 1);
});

withHooks("Retry-After neither shortens a wait nor lengthens it beyond the longest", async (hooks) => {
  const { target, subscribe, happens, later } = hooks;
  await subscribe();
  target.answer(
    asking("1"),
    asking("99999999999"),
    asking("Mon, 02 Mar 2020 11:00:00 GMT"),
    asking("soon"),
    200,
  );
  await happens();
  for (const wait of [minute, 512 * minute, 4 * minute, 8 * minute]) {
    assert.equal(await later(wait - 1), 0);
    assert.equal(await later(1), 1);
  }
});

withHooks("a target that always sends Retry-After gets no extra attempts", async (hooks) => {
  const { target, subscribe, happens, later, delivery } = hooks;
  await subscribe();
  target.answer(asking("36000"));
  await happens();
  for (const _ of ladder.slice(1)) assert.equal(await later(512 * minute), 1);
  assert.equal(await later(100 * hour), 0);
  assert.equal((await delivery(readDeliveryId(target.received[0]!))).status, "failed");
});

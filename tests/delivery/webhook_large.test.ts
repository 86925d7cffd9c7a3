/** Deliveries of large bodies that are due together: memory holds few of them, and each is sent whole. */
import assert from "node:assert/strict";
import { claimStatements, mostBytes, readClaimed } from "../../src/delivery/webhooks/claim.ts";
import { day, hour, readDeliveryId, withHooks } from "./webhook_world.ts";

withHooks("a claim reads at most 8 MiB of bodies; the others are also sent completely", async (hooks) => {
  const { app, company, target, subscribe, happens, later } = hooks;
  for (let n = 0; n < 4; n++) await subscribe({ target_url: `${target.url}/${n}` });
  target.answer(500);
  for (let n = 0; n < 10; n++) await happens(`Team ${n}`);
  assert.equal(target.received.length, 40);
  const large = JSON.stringify({ long: "é".repeat(150_000) });
  await app.deps.db.write([{ sql: "update outbox set body = ?", args: [large] }]);

  app.clock.move(hour);
  const claim = {
    holder: "test",
    now: app.clock.now(),
    groups: [company.id],
    turns: [],
    held: [],
    taken: [],
  };
  const results = await app.deps.db.write(claimStatements(claim));
  const { due } = readClaimed(results.map(({ rows }) => rows));
  const read = due.filter(({ body }) => body !== null);
  assert.equal(due.length, 40);
  assert.equal(read.length, Math.floor(mostBytes / new TextEncoder().encode(large).length));
  await app.deps.db.write([{ sql: "delete from leases where holder = 'test'", args: [] }]);

  target.clear();
  target.answer(200);
  await later(day);
  assert.equal(new Set(target.received.map(readDeliveryId)).size, 40);
  assert.ok(target.received.every(({ body }) => new TextDecoder().decode(body) === large));
});

import assert from "node:assert/strict";
import { Delivery } from "../../src/delivery/webhooks/schema.ts";
import { writeResults } from "../../src/delivery/webhooks/results.ts";
import type { Result } from "../../src/delivery/webhooks/results.ts";
import { hour, ladder, minute, readDeliveryId, withHooks } from "./webhook_world.ts";

withHooks(
  "a redelivery has the same id and bytes, even after the record changed",
  async (hooks) => {
    const { app, target, subscribe, happens, call, delivery } = hooks;
    await subscribe();
    const team = await happens("Before");
    await call(200, "PUT", `/v1/teams/${team}`, { name: "After" });
    app.clock.move(hour);
    const id = readDeliveryId(target.received[0]!);
    const again = Delivery.strict().parse(await call(202, "POST", `/v1/webhooks/deliveries/${id}/redeliver`));
    assert.deepEqual([again.id, again.status, again.attempts, again.next_attempt_at], [
      id,
      "pending",
      1,
      "2026-03-02 10:00:00",
    ]);
    await app.idle();
    assert.equal(target.received.length, 2);
    assert.deepEqual(target.received[1]!.body, target.received[0]!.body);
    assert.equal(readDeliveryId(target.received[1]!), id);
    const shown = await delivery(id);
    assert.deepEqual([shown.status, shown.attempts.length, shown.delivered_at], [
      "delivered",
      2,
      "2026-03-02 10:00:00",
    ]);
  },
);

withHooks(
  "a redelivery gets all attempts again and keeps the earlier ones",
  async (hooks) => {
    const { app, target, subscribe, happens, later, call, delivery } = hooks;
    await subscribe();
    target.answer(500);
    await happens();
    const id = readDeliveryId(target.received[0]!);
    for (const wait of ladder.slice(1)) assert.equal(await later(wait), 1);
    assert.equal(await later(48 * hour), 0);
    assert.equal((await delivery(id)).status, "failed");
    await call(202, "POST", `/v1/webhooks/deliveries/${id}/redeliver`);
    await app.idle();
    for (const wait of ladder.slice(1)) {
      assert.equal(await later(wait - 1), 0);
      assert.equal(await later(1), 1);
    }
    assert.equal(await later(48 * hour), 0);
    const { status, attempts } = await delivery(id);
    assert.deepEqual([status, attempts.length], ["failed", 22]);
    assert.deepEqual(new Set(target.received.map(readDeliveryId)), new Set([id]));
  },
);

withHooks("redelivering a waiting delivery sends it immediately and once", async (hooks) => {
  const { app, target, subscribe, happens, later, call, delivery } = hooks;
  await subscribe();
  target.answer(500, 500, 200);
  await happens();
  await later(minute);
  const id = readDeliveryId(target.received[0]!);
  await call(202, "POST", `/v1/webhooks/deliveries/${id}/redeliver`);
  await app.idle();
  assert.equal(target.received.length, 3);
  assert.equal((await delivery(id)).status, "delivered");
  assert.equal(await later(48 * hour), 0);
});

withHooks(
  "redelivering a running delivery does not double it, and it is due again after a failure",
  async (hooks) => {
    const { app, target, subscribe, happens, call, delivery, later } = hooks;
    await subscribe();
    target.answer(500);
    await happens();
    const id = readDeliveryId(target.received[0]!);
    // The second attempt is in progress.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    target.answer(async () => {
      await answered;
      return 500;
    });
    app.clock.move(minute);
    const run = later(0);
    await target.waitForCount(2);
    await call(202, "POST", `/v1/webhooks/deliveries/${id}/redeliver`);
    target.answer(200);
    assert.equal(target.received.length, 2);
    answer();
    await run;
    await app.idle();
    await later(0);
    assert.equal(target.mostAtOnce(), 1);
    const { status, attempts } = await delivery(id);
    assert.deepEqual([status, attempts.length, target.received.length], ["delivered", 3, 3]);
  },
);

withHooks("the last failure does not end a delivery that was restarted meanwhile", async (hooks) => {
  const { app, target, subscribe, happens, later, call, delivery } = hooks;
  await subscribe();
  target.answer(500);
  await happens();
  for (const wait of ladder.slice(1, -1)) await later(wait);
  const id = readDeliveryId(target.received[0]!);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  target.answer(async () => {
    await answered;
    return 500;
  });
  const run = later(ladder.at(-1)!);
  await target.waitForCount(11);
  await call(202, "POST", `/v1/webhooks/deliveries/${id}/redeliver`);
  target.answer(500);
  answer();
  await run;
  await app.idle();
  const { status } = await delivery(id);
  assert.equal(status, "pending");
  await later(0);
  const sent = target.received.length;
  // The whole ladder is still ahead of it.
  for (const wait of ladder.slice(1)) await later(wait);
  assert.equal(target.received.length, sent + 10);
  assert.equal((await delivery(id)).status, "failed");
});

withHooks(
  "a redelivery waits while its subscription is paused, and is sent after the resume",
  async (hooks) => {
    const { app, target, subscribe, happens, later, call } = hooks;
    const { id } = await subscribe();
    await happens();
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
    await call(202, "POST", `/v1/webhooks/deliveries/${readDeliveryId(target.received[0]!)}/redeliver`);
    await app.idle();
    assert.equal(await later(hour), 0);
    assert.equal(target.received.length, 1);
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
    await app.idle();
    assert.equal(target.received.length, 2);
  },
);

withHooks(
  "two simultaneous redeliveries send a delivery once, and a repeated call not again",
  async (hooks) => {
    const { app, admin, target, subscribe, happens, later } = hooks;
    const { id: webhook } = await subscribe();
    await happens();
    const path = `/v1/webhooks/deliveries/${readDeliveryId(target.received[0]!)}/redeliver`;
    // The pause holds back all deliveries until all calls are made.
    await app.deps.db.write([{ sql: "update webhooks set paused_at = 'now' where id = ?", args: [webhook] }]);
    const replies = await Promise.all(Array.from({ length: 8 }, () => admin.call("POST", path)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([202]));
    const key = { "Idempotency-Key": "again" };
    const first = await admin.call("POST", path, undefined, key);
    await app.deps.db.write([{ sql: "update webhooks set paused_at = null where id = ?", args: [webhook] }]);
    assert.equal(await later(0), 1);
    const repeated = await admin.call("POST", path, undefined, key);
    assert.equal(repeated.text, first.text);
    assert.equal(await later(hour), 0);
    assert.equal(target.received.length, 2);
  },
);

withHooks(
  "a test event goes only to its subscription, signed, without the token",
  async (hooks) => {
    const { app, target, subscribe, call, delivery } = hooks;
    const { id, ...rest } = await subscribe({ verification_token: "s3cret", webhook_event: "lead_created" });
    await subscribe({ target_url: `${target.url}/all`, webhook_event: "*" });
    const queued = Delivery.strict().parse(await call(202, "POST", `/v1/webhooks/${id}/test`));
    await app.idle();
    assert.equal(target.received.length, 1);
    const [sent] = target.received;
    assert.equal(sent!.path, "/hook");
    assert.equal(sent!.headers.get("x-service-event"), "webhook_test");
    assert.equal(sent!.headers.get("x-service-executor-user"), String(hooks.admin.id));
    assert.ok(sent!.headers.get("webhook-signature"));
    assert.deepEqual(JSON.parse(sent!.text), { id, ...rest, verification_token: null });
    assert.deepEqual([queued.id, queued.event, queued.entity_id], [
      readDeliveryId(sent!),
      "webhook_test",
      String(id),
    ]);
    assert.equal((await delivery(queued.id)).status, "delivered");
    await call(202, "POST", `/v1/webhooks/${id}/test`);
    await app.idle();
    assert.deepEqual(target.received.map(({ headers }) => headers.get("x-service-sequence")), ["1", "2"]);
    const events = await call(200, "GET", "/v1/webhook-events");
    assert.ok(!JSON.stringify(events).includes("webhook_test"));
  },
);

withHooks(
  "an attempt recorded during a redelivery does not lose it",
  async (hooks) => {
    const { app, target, subscribe, happens, call, delivery } = hooks;
    const { id: webhook } = await subscribe();
    target.answer(500);
    await happens();
    const id = readDeliveryId(target.received[0]!);
    const second = { ...result(id, webhook, target.url, 200, app.clock.now()), number: 2 };
    const { db } = app.deps;
    const { read } = db;
    db.read = async (statements) => {
      const found = await read(statements);
      if (!statements.some(({ sql }) => sql.includes("from deliveries delivery"))) return found;
      db.read = read;
      await db.write(writeResults([second]));
      return found;
    };
    target.answer(200);
    const again = await call(202, "POST", `/v1/webhooks/deliveries/${id}/redeliver`);
    assert.deepEqual([again.attempts, again.response_status, again.status], [2, 200, "pending"]);
    await app.idle();
    assert.equal(target.received.length, 2);
    assert.equal((await delivery(id)).attempts.length, 3);
  },
);

withHooks("a test event waits while its subscription is paused", async (hooks) => {
  const { app, target, subscribe, later, call } = hooks;
  const { id } = await subscribe();
  await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
  const { id: delivery } = await call(202, "POST", `/v1/webhooks/${id}/test`);
  assert.equal(await later(hour), 0);
  await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
  await app.idle();
  assert.deepEqual(target.received.map(readDeliveryId), [delivery]);
  assert.equal(JSON.parse(target.received[0]!.text).paused, true);
});

/** Returns a result of a sender whose deliveries another sender has taken over. */
function result(
  delivery_id: string,
  webhook_id: number,
  target_url: string,
  status: number,
  at: number,
): Result {
  return {
    delivery_id,
    webhook_id,
    target_url,
    number: 1,
    begun_after: 0,
    at,
    steady_for: Infinity,
    signed: null,
    response_status: status,
    succeeded: status === 200,
    retry_at: null,
    error: null,
    duration_ms: 1,
    response_excerpt: "",
  };
}

withHooks(
  "an attempt recorded twice counts once, and a late failure changes nothing",
  async (hooks) => {
    const { app, target, subscribe, happens, delivery } = hooks;
    const { id } = await subscribe();
    target.answer(500);
    await happens();
    const one = readDeliveryId(target.received[0]!);
    const record = (status: number) =>
      app.deps.db.write(writeResults([result(one, id, target.url, status, app.clock.now())]));
    await record(500);
    const failing = await app.sql("select failures as n from webhooks");
    assert.deepEqual(failing, [{ n: 1 }]);
    assert.equal((await delivery(one)).attempts.length, 1);
    // The first attempt gets a late answer: the delivery had arrived, so it is not sent again.
    await record(200);
    assert.deepEqual([(await delivery(one)).status, (await delivery(one)).attempts.length], ["delivered", 2]);
    await record(200);
    await record(500);
    await record(410);
    assert.deepEqual([(await delivery(one)).status, (await delivery(one)).attempts.length], ["delivered", 2]);
    assert.equal((await hooks.admin.call("GET", `/v1/webhooks/${id}`)).status, 200);
  },
);

withHooks("a late success does not end a delivery that was restarted since", async (hooks) => {
  const { app, target, subscribe, happens, call, delivery } = hooks;
  const { id } = await subscribe();
  target.answer(500);
  await happens();
  const one = readDeliveryId(target.received[0]!);
  await app.deps.db.write([{ sql: "update webhooks set paused_at = 'now'", args: [] }]);
  await call(202, "POST", `/v1/webhooks/deliveries/${one}/redeliver`);
  await app.deps.db.write(writeResults([result(one, id, target.url, 200, app.clock.now())]));
  assert.equal((await delivery(one)).status, "pending");
});

for (
  const [what, path, body] of [
    ["begun anew", (_: number, delivery: string) => `deliveries/${delivery}/redeliver`, undefined],
    ["recovered", (id: number) => `${id}/recover`, { since: "2026-01-01 00:00:00" }],
    ["tried out", (id: number) => `${id}/test`, undefined],
    ["resumed", (id: number) => `${id}`, { paused: false }],
  ] as const
) {
  withHooks(`nothing is sent to a subscription that is deleted while it is being ${what}`, async (hooks) => {
    const { app, admin, target, subscribe, happens, later } = hooks;
    const { id } = await subscribe();
    await happens();
    // Only a paused subscription can be resumed.
    if (what === "resumed") await admin.call("PUT", `/v1/webhooks/${id}`, { paused: true });
    target.clear();
    await app.deps.db.write([{ sql: "update deliveries set status = 'failed'", args: [] }]);
    const { db } = app.deps;
    const { write } = db;
    db.write = async (statements) => {
      // The subscription is deleted right before the commit.
      db.write = write;
      const gone =
        "update webhooks set deleted_at = '2026-03-02 09:00:00', version = version + 1 where id = ?";
      await db.write([{ sql: gone, args: [id] }]);
      return await db.write(statements);
    };
    const [one] = await app.sql("select id from deliveries");
    const method = what === "resumed" ? "PUT" : "POST";
    const reply = await admin.call(method, `/v1/webhooks/${path(id, String(one!.id))}`, body);
    assert.equal(reply.status, 404, reply.text);
    await app.idle();
    await later(hour);
    assert.equal(target.received.length, 0);
    assert.deepEqual(await app.sql("select distinct status from deliveries"), [{ status: "failed" }]);
  });
}

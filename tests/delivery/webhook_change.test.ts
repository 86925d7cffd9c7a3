import assert from "node:assert/strict";
import { recoveredAtOnce } from "../../src/delivery/webhooks/recover.ts";
import { Webhook } from "../../src/delivery/webhooks/record.ts";
import {
  day,
  type Hooks,
  hour,
  insertManyFailed,
  ladder,
  minute,
  readCodes,
  readDeliveryId,
  withHooks,
} from "./webhook_world.ts";

withHooks("a change keeps what it does not name, and clears what is null", async (hooks) => {
  const { app, target, subscribe, call } = hooks;
  const { id, ...made } = await subscribe({ verification_token: "s3cret", scope: "user" });
  app.clock.move(minute);
  const path = `/v1/webhooks/${id}`;
  const kept = Webhook.strict().parse(await call(200, "PUT", path, {}));
  assert.deepEqual(kept, { id, ...made });
  const target_url = `${target.url}/other`;
  assert.equal(kept.success_status, "200");
  const change = { target_url, webhook_event: "*", paused: true, success_status: "2xx" };
  const changed = await call(200, "PUT", path, change);
  assert.deepEqual(changed, {
    ...kept,
    ...change,
    webhook_event: { id: 0, event_name: "*" },
    updated_at: "2026-03-02 09:01:00",
  });
  const cleared = await call(200, "PUT", path, {
    verification_token: null,
    scope: null,
    paused: null,
    success_status: null,
  });
  assert.deepEqual(cleared, {
    ...changed,
    verification_token: null,
    scope: "global",
    paused: false,
    success_status: "200",
  });
  assert.deepEqual(await call(200, "GET", path), cleared);
});

withHooks("invalid fields of a subscription are refused one by one, also by an update", async (hooks) => {
  const { admin, subscribe } = hooks;
  const { id, target_url } = await subscribe();
  const other = await subscribe({ target_url: `${target_url}/other` });
  const readRefusal = async (body: object) => readCodes(await admin.call("PUT", `/v1/webhooks/${id}`, body));
  assert.deepEqual(await readRefusal({ target_url: null, webhook_event: null }), [
    "target_url required",
    "webhook_event required",
  ]);
  assert.deepEqual(await readRefusal({ target_url: "ftp://example.org/" }), ["target_url format"]);
  assert.deepEqual(await readRefusal({ target_url: "http://ada:x@example.org/" }), ["target_url format"]);
  assert.deepEqual(await readRefusal({ target_url: other.target_url }), ["target_url unique"]);
  assert.deepEqual(await readRefusal({ webhook_event: "webhook_test" }), ["webhook_event enum"]);
  assert.deepEqual(await readRefusal({ verification_token: "" }), ["verification_token min"]);
  assert.deepEqual(await readRefusal({ scope: "team", paused: "yes" }), ["scope enum", "paused type"]);
  const same = await admin.call("PUT", `/v1/webhooks/${id}`, { target_url });
  assert.equal(same.status, 200);
});

withHooks("of twenty simultaneous subscriptions to a URL one succeeds", async (hooks) => {
  const { admin, subscribe, target } = hooks;
  const ids: number[] = [];
  for (let n = 0; n < 20; n++) ids.push((await subscribe({ target_url: `${target.url}/${n}` })).id);
  const target_url = `${target.url}/wanted`;
  const replies = await Promise.all(ids.map((id) => admin.call("PUT", `/v1/webhooks/${id}`, { target_url })));
  assert.equal(replies.filter(({ status }) => status === 200).length, 1);
  assert.equal(replies.filter(({ status }) => status === 422).length, 19);
});

withHooks(
  "If-Match guards an update, and a call repeated under its key rotates once",
  async (hooks) => {
    const { app, admin, subscribe } = hooks;
    const { id } = await subscribe({ verification_token: "one" });
    const path = `/v1/webhooks/${id}`;
    const { headers } = await admin.call("GET", path);
    const body = { verification_token: "two" };
    assert.equal((await admin.call("PUT", path, body, { "If-Match": '"old"' })).status, 412);
    const matched = { "If-Match": headers.get("etag")!, "Idempotency-Key": "k" };
    const first = await admin.call("PUT", path, body, matched);
    assert.equal(first.status, 200, first.text);
    const again = await admin.call("PUT", path, body, matched);
    assert.deepEqual([again.body, again.headers.get("idempotent-replayed")], [first.body, "true"]);
    assert.equal(again.body.verification_token, "two");
    const stored = JSON.stringify(await app.sql("select body, sealed from idempotency_keys"));
    assert.ok(!stored.includes("two"));
  },
);

withHooks(
  "waiting deliveries go to the new target; a late 410 of the old one deletes nothing",
  async (hooks) => {
    const { app, target, subscribe, happens, later, call, delivery } = hooks;
    const { id } = await subscribe();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    target.answer(500);
    await happens();
    target.answer(async ({ path }) => {
      if (path !== "/hook") return 200;
      await answered;
      return 410;
    });
    const run = later(minute);
    await target.waitForCount(2);
    await call(200, "PUT", `/v1/webhooks/${id}`, { target_url: `${target.url}/new` });
    answer();
    await run;
    await app.idle();
    await call(200, "GET", `/v1/webhooks/${id}`);
    await later(hour);
    assert.deepEqual(target.received.map(({ path }) => path), ["/hook", "/hook", "/hook/new"]);
    assert.equal((await delivery(readDeliveryId(target.received[0]!))).status, "delivered");
  },
);

/** A subscription whose target has answered 410, with one delivery that waited and one that answered. */
async function makeGone({ app, target, subscribe, happens, later }: Hooks): Promise<number> {
  const { id } = await subscribe({ verification_token: "s3cret" });
  target.answer(500);
  await happens("Waits");
  await later(minute);
  target.answer(410);
  await happens("Gone");
  target.answer(200);
  await app.idle();
  target.clear();
  return id;
}

withHooks(
  "after a 410 a subscription can be restored for 30 days and receives events from then on",
  async (hooks) => {
    const { app, target, happens, later, log, call } = hooks;
    const id = await makeGone(hooks);
    await call(404, "GET", `/v1/webhooks/${id}`);
    await call(404, "PUT", `/v1/webhooks/${id}`, { paused: false });
    await happens("Between");
    app.clock.move(30 * day - 2 * hour);
    assert.equal(target.received.length, 0);
    const restored = await call(200, "POST", `/v1/webhooks/${id}/restore`);
    assert.equal(restored.verification_token, "s3cret");
    assert.deepEqual(await call(200, "GET", `/v1/webhooks/${id}`), restored);
    assert.deepEqual(await call(200, "POST", `/v1/webhooks/${id}/restore`), restored);
    await happens("Since");
    assert.equal(await later(day), 0);
    assert.deepEqual(target.received.map(({ text }) => JSON.parse(text).name), ["Since"]);
    assert.deepEqual((await log(id, "status=failed")).length, 2);
  },
);

withHooks(
  "deliveries that waited at a 410 can be recovered after the restore, later events cannot",
  async (hooks) => {
    const { app, target, happens, log, call } = hooks;
    const id = await makeGone(hooks);
    await happens("Between");
    await call(200, "POST", `/v1/webhooks/${id}/restore`);
    const why = (await log(id)).map(({ response_status, error }) => [response_status, error]);
    assert.deepEqual(why, [[410, null], [500, "the subscription was deleted"]]);

    const since = { since: "2026-03-01 00:00:00" };
    assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, since), { queued: 2 });
    await app.idle();
    assert.deepEqual(target.received.map(({ text }) => JSON.parse(text).name).sort(), ["Gone", "Waits"]);
  },
);

withHooks(
  "a subscription cannot be restored after 30 days or after its user deleted it",
  async (hooks) => {
    const { app, subscribe, call } = hooks;
    const id = await makeGone(hooks);
    app.clock.move(30 * day + 1_000);
    await call(404, "POST", `/v1/webhooks/${id}/restore`);
    const other = await subscribe();
    await call(204, "DELETE", `/v1/webhooks/${other.id}`);
    await call(404, "POST", `/v1/webhooks/${other.id}/restore`);
  },
);

withHooks("a subscription cannot be restored to a URL that another one has", async (hooks) => {
  const { admin, subscribe, call } = hooks;
  const id = await makeGone(hooks);
  const other = await subscribe();
  const path = `/v1/webhooks/${id}/restore`;
  assert.deepEqual(readCodes(await admin.call("POST", path)), ["target_url unique"]);
  await call(204, "DELETE", `/v1/webhooks/${other.id}`);
  const [back, taken] = await Promise.all([
    admin.call("POST", path),
    admin.call("POST", "/v1/webhooks", { target_url: other.target_url, webhook_event: "*" }),
  ]);
  assert.deepEqual([back.status, taken.status].sort(), back.status === 200 ? [200, 422] : [201, 422]);
});

withHooks(
  "only a successor can restore the subscriptions of a deleted user",
  async (hooks) => {
    const { app, company, admin, target, call, happens } = hooks;
    for (const successor of [admin, null]) {
      const user = await company.user({ rights: ["webhooks.manage"] });
      const { id } = await hooks.subscribe({ target_url: `${target.url}/${user.id}` }, user);
      target.answer(410);
      await happens();
      const query = successor ? `?assign_to=${successor.id}` : "";
      await call(204, "DELETE", `/v1/companies/${company.id}/users/${user.id}${query}`);
      const { status, body } = await admin.call("POST", `/v1/webhooks/${id}/restore`);
      assert.deepEqual(
        [status, body.user_id, body.paused],
        successor ? [200, admin.id, true] : [404, undefined, undefined],
      );
      await app.idle();
    }
  },
);

withHooks("an attempt that runs during a restore changes nothing", async (hooks) => {
  const { target, subscribe, happens, later, call, log, app } = hooks;
  const { id } = await subscribe();
  target.answer(500);
  await happens();
  await happens();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  target.answer(async (_, index) => {
    if (index === 0) return 410;
    await answered;
    return 500;
  });
  const run = later(minute);
  await target.waitForCount(4);
  while ((await app.sql("select deleted_at from webhooks where deleted_at is not null")).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await call(200, "POST", `/v1/webhooks/${id}/restore`);
  answer();
  await run;
  target.answer(200);
  assert.equal((await call(200, "GET", `/v1/webhooks/${id}`)).paused, false);
  assert.deepEqual((await log(id)).map(({ status }) => status), ["failed", "failed"]);
  for (const wait of ladder) await later(wait);
  assert.equal(target.received.length, 4);
});

withHooks(
  "a successor sees and redelivers no earlier deliveries of a subscription; an admin does",
  async (hooks) => {
    const { app, company, target, happens, log, later, call } = hooks;
    const [user, successor] = [
      await company.user({ rights: ["webhooks.manage"] }),
      await company.user({ rights: ["webhooks.manage"] }),
    ];
    const { id } = await hooks.subscribe({}, user);
    target.answer(500);
    await happens("Before");
    for (const wait of ladder.slice(1)) await later(wait);
    const before = readDeliveryId(target.received[0]!);
    await call(204, "DELETE", `/v1/companies/${company.id}/users/${user.id}?assign_to=${successor.id}`);
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
    const always = { since: "2026-01-01 00:00:00" };
    const countSeen = async () => {
      const { body: { data, pagination } } = await successor.call("GET", `/v1/webhooks/${id}/deliveries`);
      const failed = await successor.call("GET", `/v1/webhooks/${id}/deliveries?status=failed`);
      return [data.length, pagination.total, failed.body.pagination.total];
    };
    assert.deepEqual(await countSeen(), [0, 0, 0]);
    assert.equal((await successor.call("GET", `/v1/webhooks/deliveries/${before}`)).status, 404);
    assert.equal((await successor.call("POST", `/v1/webhooks/deliveries/${before}/redeliver`)).status, 404);
    await insertManyFailed(hooks, id, recoveredAtOnce + 10);
    assert.deepEqual((await successor.call("POST", `/v1/webhooks/${id}/recover`, always)).body, {
      queued: 0,
    });
    app.clock.move(minute);
    await happens("Since");
    for (const wait of ladder.slice(1)) await later(wait);
    assert.deepEqual(await countSeen(), [1, 1, 1]);
    // More deliveries than one batch takes, some created exactly at `owned_since`.
    const late =
      "update deliveries set created_at = (select owned_since from webhooks) where rowid % 2 = 0 and id like 'f-%'";
    await app.deps.db.write([{ sql: late, args: [] }]);
    const more =
      "insert into deliveries (id, company_id, webhook_id, event_id, status, due_at, created_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) " +
      "select printf('g-%06d', i), ?, ?, (select id from outbox limit 1), 'failed', 1, '2026-03-03 09:00:00' from n";
    await app.deps.db.write([{ sql: more, args: [recoveredAtOnce * 2, company.id, id] }]);
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
    const { body } = await successor.call("POST", `/v1/webhooks/${id}/recover`, always);
    assert.deepEqual(body, { queued: recoveredAtOnce * 2 + 1 });
    await app.idle();
    const begun =
      "select substr(id, 1, 2) as kind, count(*) as n from deliveries where status = 'pending' and id like '_-%' group by 1";
    assert.deepEqual(await app.sql(begun), [{ kind: "g-", n: recoveredAtOnce * 2 }]);
    assert.equal((await log(id)).length, 15);
    assert.equal((await call(200, "GET", `/v1/webhooks/deliveries/${before}`)).status, "failed");
  },
);

import assert from "node:assert/strict";
import { Delivery, WholeDelivery } from "../../src/delivery/webhooks/schema.ts";
import { hour, ladder, minute, readDeliveryId, withHooks } from "./webhook_world.ts";

withHooks("the log shows each delivery with its result, newest first and by status", async (hooks) => {
  const { app, target, subscribe, happens, log, call } = hooks;
  const { id } = await subscribe();
  target.answer(200, { status: 503, body: "busy" });
  const [first, second] = [await happens(), (app.clock.move(minute), await happens())];
  const [newest, oldest] = (await log(id)).map((each) => Delivery.strict().parse(each));
  assert.equal((await log(id)).length, 2);
  assert.deepEqual({ ...newest, duration_ms: 1 }, {
    id: readDeliveryId(target.received[1]!),
    event: "team_created",
    entity_id: String(second),
    status: "pending",
    attempts: 1,
    response_status: 503,
    error: null,
    duration_ms: 1,
    next_attempt_at: "2026-03-02 09:02:00",
    created_at: "2026-03-02 09:01:00",
    delivered_at: null,
  });
  assert.deepEqual({ ...oldest, duration_ms: 1 }, {
    ...newest,
    id: readDeliveryId(target.received[0]!),
    entity_id: String(first),
    status: "delivered",
    response_status: 200,
    duration_ms: 1,
    next_attempt_at: null,
    created_at: "2026-03-02 09:00:00",
    delivered_at: "2026-03-02 09:00:00",
  });
  for (
    const [status, ids] of [["pending", [newest!.id]], ["delivered", [oldest!.id]], ["failed", []]] as const
  ) {
    const { data, pagination } = await call(200, "GET", `/v1/webhooks/${id}/deliveries?status=${status}`);
    assert.deepEqual(data.map((each: { id: string }) => each.id), ids);
    assert.equal(pagination.total, ids.length);
  }
  const wrong = await hooks.admin.call("GET", `/v1/webhooks/${id}/deliveries?status=lost`);
  assert.deepEqual(wrong.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]), [
    ["query.status", "enum"],
  ]);
});

withHooks("the log of all subscriptions has those that the caller lists, newest first", async (hooks) => {
  const { app, target, company, subscribe, happens, call } = hooks;
  const ids: number[] = [];
  for (let n = 0; n < 3; n++) ids.push((await subscribe({ target_url: `${target.url}/${n}` })).id);
  target.answer(200);
  for (let n = 0; n < 3; n++) {
    await happens();
    app.clock.move(minute);
  }
  const each: { id: string; webhook_id: number; created_at: string }[] = [];
  for (const webhook_id of ids) {
    const { data } = await call(200, "GET", `/v1/webhooks/${webhook_id}/deliveries?per_page=100`);
    each.push(...data.map((one: object) => ({ ...one, webhook_id })));
  }
  const key = ({ created_at, id }: { created_at: string; id: string }) => `${created_at} ${id}`;
  const expected = each.toSorted((one, two) => (key(one) > key(two) ? -1 : 1));
  assert.equal(expected.length, 9);
  const shown = [];
  let next: string | null = "/v1/webhooks/deliveries?per_page=4";
  while (next) {
    const page: { data: object[]; pagination: { total: number; urls: { next: string | null } } } = await call(
      200,
      "GET",
      next.replace(/^http:\/\/[^/]+/, ""),
    );
    shown.push(...page.data);
    assert.equal(page.pagination.total, 9);
    next = page.pagination.urls.next;
  }
  assert.deepEqual(shown, expected);
  assert.equal((await call(200, "GET", "/v1/webhooks/deliveries?status=failed")).pagination.total, 0);
  const second = await call(200, "GET", "/v1/webhooks/deliveries?per_page=4&page=2");
  assert.deepEqual(second.data, expected.slice(4, 8));
  const other = await company.user({ rights: ["webhooks.manage"] });
  const none = await other.call("GET", "/v1/webhooks/deliveries");
  assert.deepEqual([none.status, none.body.data, none.body.pagination.total], [200, [], 0]);
  const wrong = await hooks.admin.call("GET", "/v1/webhooks/deliveries?status=lost");
  assert.deepEqual(wrong.body.errors[0].path, "query.status");
});

withHooks(
  "totals by status stay exact while deliveries arrive, fail, restart and are removed",
  async (hooks) => {
    const { app, target, subscribe, happens, later, call } = hooks;
    const { id } = await subscribe();
    const totals = async () => {
      const of = async (query: string) =>
        (await call(200, "GET", `/v1/webhooks/${id}/deliveries?${query}`)).pagination.total;
      return [
        await of(""),
        await of("status=pending"),
        await of("status=delivered"),
        await of("status=failed"),
      ];
    };
    target.answer(500);
    await happens();
    await happens();
    assert.deepEqual(await totals(), [2, 2, 0, 0]);
    for (const wait of ladder.slice(1)) await later(wait);
    assert.deepEqual(await totals(), [2, 0, 0, 2]);
    target.answer(200);
    await happens();
    await call(202, "POST", `/v1/webhooks/deliveries/${readDeliveryId(target.received[0]!)}/redeliver`);
    await app.idle();
    assert.deepEqual(await totals(), [3, 0, 2, 1]);
    const counted = "select status, count(*) as n from deliveries group by status order by status";
    const kept = "select status, n from delivery_counts where n > 0 order by status";
    assert.deepEqual(await app.sql(kept), await app.sql(counted));
    app.clock.move(31 * 24 * hour);
    const { removeOldDeliveries } = await import("../../src/delivery/webhooks/expire.ts");
    await removeOldDeliveries(app.deps, app.clock.now());
    assert.deepEqual(await totals(), [0, 0, 0, 0]);
  },
);

withHooks("a delivery is shown with the request as it was sent and with each attempt", async (hooks) => {
  const { target, subscribe, happens, later, delivery, call } = hooks;
  await subscribe({ verification_token: "s3cret" });
  target.answer({ status: 503, body: "busy" }, { status: 200, body: "thanks" });
  const team = await happens();
  await later(minute);
  const [first, last] = target.received;
  assert.equal(target.received.length, 2);
  const shown = WholeDelivery.strict().parse(await delivery(readDeliveryId(last!)));
  assert.equal(shown.request.body, last!.text);
  assert.equal(shown.request.body, first!.text);
  assert.equal(JSON.parse(shown.request.body).id, team);
  for (const [name, value] of Object.entries(shown.request.headers)) {
    assert.equal(last!.headers.get(name), value, name);
  }
  const sent = [...last!.headers.keys()].filter((name) =>
    /^x-|^webhook-|^user-agent|^content-type/.test(name)
  );
  assert.deepEqual(Object.keys(shown.request.headers).map((name) => name.toLowerCase()).sort(), sent.sort());
  assert.deepEqual(shown.attempts.map((each) => ({ ...each, duration_ms: 1 })), [
    {
      at: "2026-03-02 09:00:00",
      response_status: 503,
      error: null,
      duration_ms: 1,
      response_excerpt: "busy",
    },
    {
      at: "2026-03-02 09:01:00",
      response_status: 200,
      error: null,
      duration_ms: 1,
      response_excerpt: "thanks",
    },
  ]);
  const missing = "/v1/webhooks/deliveries/01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";
  await call(404, "GET", missing);
  await call(404, "GET", "/v1/webhooks/deliveries/none");
});

withHooks("the request stays as it was sent when token and target have changed since", async (hooks) => {
  const { target, subscribe, happens, delivery, call } = hooks;
  const { id } = await subscribe({ verification_token: "old" });
  await happens();
  const [sent] = target.received;
  await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: "new" });
  const { request } = await delivery(readDeliveryId(sent!));
  assert.equal(request.headers["webhook-signature"], sent!.headers.get("webhook-signature"));
  assert.equal(
    request.headers["X-Service-Verification-Hash"],
    sent!.headers.get("x-service-verification-hash"),
  );
  await call(200, "PUT", `/v1/webhooks/${id}`, { verification_token: null });
  const again = await delivery(readDeliveryId(sent!));
  assert.deepEqual(again.request, request);
});

withHooks(
  "a user who cannot read the token sees neither hash nor signature",
  async (hooks) => {
    const { company, target, subscribe, happens, delivery } = hooks;
    const user = await company.user({ rights: ["webhooks.manage"] });
    await subscribe({ verification_token: "weak" }, user);
    await happens();
    const path = `/v1/webhooks/deliveries/${readDeliveryId(target.received[0]!)}`;
    const own = (await user.call("GET", path)).body.request.headers;
    assert.ok(own["webhook-signature"] && own["X-Service-Verification-Hash"]);
    const { request } = await delivery(readDeliveryId(target.received[0]!));
    const { "webhook-signature": _, "X-Service-Verification-Hash": __, ...others } = own;
    assert.deepEqual(request.headers, others);
  },
);

withHooks(
  "deliveries of another user or company or of a deleted subscription are not visible",
  async (hooks) => {
    const { app, company, admin, target, subscribe, happens, call } = hooks;
    const { id } = await subscribe();
    await happens();
    const delivery = readDeliveryId(target.received[0]!);
    const calls = [
      ["GET", `/v1/webhooks/${id}/deliveries`],
      ["GET", `/v1/webhooks/deliveries/${delivery}`],
      ["POST", `/v1/webhooks/deliveries/${delivery}/redeliver`],
      ["POST", `/v1/webhooks/${id}/test`],
      ["POST", `/v1/webhooks/${id}/recover`, { since: "2026-03-01 00:00:00" }],
      ["PUT", `/v1/webhooks/${id}`, { paused: true }],
      ["POST", `/v1/webhooks/${id}/restore`],
    ] as const;
    const user = await company.user({ rights: ["webhooks.manage"] });
    for (const actor of [user, (await app.company()).admin]) {
      for (const [method, path, body] of calls) {
        assert.equal((await actor.call(method, path, body)).status, 404, `${method} ${path}`);
      }
    }
    await call(204, "DELETE", `/v1/webhooks/${id}`);
    for (const [method, path, body] of calls) {
      assert.equal((await admin.call(method, path, body)).status, 404, `${method} ${path}`);
    }
    await app.idle();
    assert.equal(target.received.length, 1);
  },
);

withHooks(
  "a page far back in the log is merged from the order of each status, without sorting",
  async (hooks) => {
    const { app, company, subscribe, happens, call } = hooks;
    const { id } = await subscribe();
    await happens();
    await app.deps.db.write([{
      sql: "insert into deliveries (id, company_id, webhook_id, event_id, status, due_at, created_at) " +
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) " +
        "select printf('f-%06d', i), ?, ?, (select id from outbox limit 1), iif(i % 3, 'delivered', 'failed'), 0, " +
        "datetime('2026-01-01', '+' || i || ' seconds') from n",
      args: [company.id, id],
    }]);
    const { db } = app.deps;
    const { read } = db;
    const plans: string[] = [];
    db.read = async (statements) => {
      const page = statements.find(({ threaded }) => threaded);
      if (page) {
        const rows = await app.sql(`explain query plan ${page.sql}`, ...page.args);
        plans.push(rows.map(({ detail }) => detail).join("\n"));
      }
      return await read(statements);
    };
    const { data } = await call(200, "GET", `/v1/webhooks/${id}/deliveries?page=41&per_page=50`);
    assert.deepEqual(data.map((each: { id: string }) => each.id), [
      ...Array.from({ length: 50 }, (_, n) => `f-${String(1001 - n).padStart(6, "0")}`),
    ]);
    assert.equal(plans.length, 1);
    assert.match(plans[0]!, /MERGE \(UNION ALL\)/);
    assert.doesNotMatch(plans[0]!, /SCAN json_each/);
  },
);

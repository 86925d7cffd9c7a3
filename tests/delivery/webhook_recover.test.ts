import assert from "node:assert/strict";
import { continueRecoveries, recoveredAtOnce } from "../../src/delivery/webhooks/recover.ts";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { runJobs } from "../../src/jobs.ts";
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

const always = { since: "2026-01-01 00:00:00" };

/** Causes events whose attempts all fail. */
async function fail({ target, happens, later }: Hooks, count: number): Promise<void> {
  target.answer(500);
  for (let n = 0; n < count; n++) await happens();
  for (const wait of ladder.slice(1)) await later(wait);
  target.answer(200);
}

function perDelivery({ target }: Hooks): number[] {
  return [...Map.groupBy(target.received, readDeliveryId).values()].map((each) => each.length);
}

withHooks("a recovery sends the failures of the period once and nothing else", async (hooks) => {
  const { app, target, subscribe, happens, log, call } = hooks;
  const { id } = await subscribe();
  const other = await subscribe({ target_url: `${target.url}/other` });
  const recover = async (body: object) =>
    (await call(202, "POST", `/v1/webhooks/${id}/recover`, body)).queued;
  await happens("Arrived");
  await fail(hooks, 3);
  app.clock.move(hour);
  await fail(hooks, 2);
  target.clear();
  // First the last two deliveries, then the earlier ones, which are outside that time span.
  const since = "2026-03-02 20:00:00";
  assert.equal(await recover({ since }), 2);
  await app.idle();
  assert.deepEqual(perDelivery(hooks), [1, 1]);
  const before = { since: "2026-03-02 09:00:00", until: since };
  assert.equal(await recover(before), 3);
  await app.idle();
  assert.deepEqual(perDelivery(hooks), [1, 1, 1, 1, 1]);
  assert.deepEqual([await recover(before), await recover(always)], [0, 0]);
  assert.equal((await log(id, "status=delivered")).length, 6);
  assert.equal((await log(other.id, "status=failed")).length, 5);
});

withHooks("a failure during the count is counted and sent", async (hooks) => {
  const { app, target, subscribe, call } = hooks;
  const { id } = await subscribe();
  await fail(hooks, 2);
  const failed = { sql: "update deliveries set status = ? where rowid = 2", args: ["pending"] };
  await app.deps.db.write([failed]);
  const { db } = app.deps;
  const { readOnThread } = db;
  db.readOnThread = async (statements, how) => {
    db.readOnThread = readOnThread;
    const found = await readOnThread(statements, how);
    await db.write([{ ...failed, args: ["failed"] }]);
    return found;
  };
  target.clear();
  assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, always), { queued: 2 });
  await app.idle();
  assert.deepEqual(perDelivery(hooks), [1, 1]);
});

withHooks("after a recovery a delivery has as many retries as after its event", async (hooks) => {
  const { app, target, subscribe, later, call } = hooks;
  const { id } = await subscribe();
  await fail(hooks, 1);
  assert.equal(target.received.length, 11);
  target.answer(500);
  await call(202, "POST", `/v1/webhooks/${id}/recover`, always);
  await app.idle();
  for (const wait of ladder.slice(1)) assert.equal(await later(wait), 1);
  assert.equal(await later(day), 0);
  assert.deepEqual(perDelivery(hooks), [22]);
  const numbers = await app.sql("select number from delivery_attempts order by number");
  assert.deepEqual(numbers.map(({ number }) => number), Array.from({ length: 22 }, (_, n) => n + 1));
});

withHooks("a running or waiting retry is unchanged", async (hooks) => {
  const { app, target, subscribe, happens, later, log, call } = hooks;
  const { id } = await subscribe();
  target.answer(500);
  await happens();
  await later(minute);
  const [before] = await log(id);
  assert.equal(before.status, "pending");
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  target.answer(async () => {
    await answered;
    return 200;
  });
  const run = later(2 * minute);
  await target.waitForCount(3);
  assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, always), { queued: 0 });
  answer();
  await run;
  await app.idle();
  assert.equal(await later(day), 0);
  assert.equal(target.received.length, 3);
});

withHooks(
  "events of a pause are missed and recovered with their original bodies",
  async (hooks) => {
    const { app, target, subscribe, happens, later, log, call } = hooks;
    const { id } = await subscribe();
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
    const team = await happens("Then");
    assert.equal(await later(minute), 0);
    const [missed] = await log(id);
    assert.deepEqual([missed.status, missed.attempts, missed.error], [
      "failed",
      0,
      "the subscription was paused",
    ]);
    await call(200, "PUT", `/v1/teams/${team}`, { name: "Now" });
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
    await app.idle();
    assert.equal(await later(day), 0);
    assert.equal(target.received.length, 0);
    assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, always), { queued: 1 });
    await app.idle();
    assert.equal(target.received.length, 1);
    assert.equal(JSON.parse(target.received[0]!.text).name, "Then");
    assert.equal(target.received[0]!.headers.get("x-timestamp"), "2026-03-02 09:00:00");
    assert.equal((await log(id))[0].error, null);
  },
);

withHooks(
  "missed events are those that the user saw and subscribed to at their time",
  async (hooks) => {
    const { app, company, admin, target } = hooks;
    const [north, south] = [await company.team(), await company.team()];
    const user = await company.user({ teams: [north], rights: ["webhooks.manage"] });
    const { id } = await hooks.subscribe({ webhook_event: "account_created" }, user);
    const path = `/v1/webhooks/${id}`;
    assert.equal((await user.call("PUT", path, { paused: true })).status, 200);
    const createAccount = async (team_id: number) => {
      const body = { team_id, fixed_fields: [{ name: "name", value: `Of ${team_id}` }] };
      return (await admin.call("POST", "/v1/accounts", body)).body.id as string;
    };
    const [seen] = [await createAccount(north), await createAccount(south)];
    // The user moves to the other team, and the subscription to other events.
    const move = "update team_members set team_id = ? where user_id = ?";
    await app.deps.db.write([{ sql: move, args: [south, user.id] }]);
    const change = { paused: false, webhook_event: "lead_created", scope: "user" };
    assert.equal((await user.call("PUT", path, change)).status, 200);
    assert.deepEqual((await user.call("POST", `${path}/recover`, always)).body, { queued: 1 });
    await app.idle();
    assert.deepEqual(target.received.map(({ text }) => JSON.parse(text).id), [seen]);
  },
);

withHooks(
  "a recovery waits while the subscription is paused",
  async (hooks) => {
    const { app, target, subscribe, happens, later, log, call } = hooks;
    const { id } = await subscribe();
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
    await happens();
    assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, always), { queued: 1 });
    const [{ status, error }] = await log(id);
    assert.deepEqual([status, error], ["pending", null]);

    assert.equal(await later(hour), 0);
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
    await app.idle();
    assert.equal(target.received.length, 1);
  },
);

withHooks(
  "several recoveries at once, one of them repeated under its key, send each delivery once",
  async (hooks) => {
    const { app, admin, subscribe, target } = hooks;
    const { id } = await subscribe();
    await fail(hooks, 12);
    target.clear();
    const path = `/v1/webhooks/${id}/recover`;
    const keys = [1, 2, 3, 3, 3].map((key) => ({ "Idempotency-Key": String(key) }));
    const replies = await Promise.all(keys.map((key) => admin.call("POST", path, always, key)));
    await app.idle();
    assert.deepEqual(perDelivery(hooks), Array(12).fill(1));
    const counted = replies.filter(({ status, headers }) =>
      status === 202 && !headers.has("idempotent-replayed")
    );
    assert.equal(counted.reduce((sum, { body }) => sum + body.queued, 0), 12);
  },
);

const states = "select status, begun_after, count(*) as n from deliveries where id like 'f-%' group by 1, 2";

withHooks("more deliveries than one batch are recovered in the background", async (hooks) => {
  const { app, subscribe, happens, call } = hooks;
  const { id } = await subscribe();
  await happens();
  await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
  const count = recoveredAtOnce * 2 + 500;
  await insertManyFailed(hooks, id, count);
  assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, always), { queued: count });
  await app.idle();
  assert.deepEqual(await app.sql(states), [{ status: "pending", begun_after: 11, n: count }]);
  assert.deepEqual(await app.sql("select id from recoveries"), []);
});

withHooks(
  "the job continues a recovery in bounded steps, each delivery once",
  async (hooks) => {
    const { app, company, subscribe, happens } = hooks;
    const { id } = await subscribe();
    await happens();
    await insertManyFailed(hooks, id, recoveredAtOnce * 2 + 500);
    const begin =
      "insert into recoveries (company_id, webhook_id, after_at, after_id, until) values (?, ?, ?, '', ?)";
    // The second recovery begins after all deliveries, so it takes none.
    const times = [["2026-02-20 10:00:00", "2026-02-24 10:00:00"], [
      "2026-02-27 00:00:00",
      "2026-03-02 08:00:00",
    ]];
    for (const [since, until] of times) {
      await app.deps.db.write([{ sql: begin, args: [company.id, id, since!, until!] }]);
    }
    const within =
      "select count(*) as n from deliveries where id like 'f-%' and created_at <= '2026-02-24 10:00:00'";
    const [{ n: expected } = {}] = await app.sql(within);
    const sizes: number[] = [];
    const db = {
      ...app.deps.db,
      async write(statements: Parameters<typeof app.deps.db.write>[0]) {
        const again = { sql: "update deliveries set status = 'failed' where id like 'f-%'", args: [] };
        const results = await app.deps.db.write([...statements, again]);
        sizes.push(results[2]!.changes);
        return results;
      },
    };
    const runs = [1, 2, 3].map(() => continueRecoveries({ ...app.deps, db }, app.clock.now()));
    const begun = (await Promise.all(runs)).reduce((sum, one) => sum + one);
    assert.ok(
      Number(expected) > recoveredAtOnce && sizes.every((size) => size <= recoveredAtOnce),
      sizes.join(),
    );
    assert.equal(begun, expected);
    assert.deepEqual(await app.sql("select id from recoveries"), []);
  },
);

withHooks("a recovery ends with its subscription", async (hooks) => {
  const { app, company, target, subscribe, happens, call } = hooks;
  const { id } = await subscribe();
  await happens();
  target.clear();
  await insertManyFailed(hooks, id, 10);
  const begin =
    "insert into recoveries (company_id, webhook_id, after_at, after_id, until) values (?, ?, '', '', ?)";
  await app.deps.db.write([{ sql: begin, args: [company.id, id, "2027"] }]);
  await call(204, "DELETE", `/v1/webhooks/${id}`);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await app.sql(states), [{ status: "failed", begun_after: 0, n: 10 }]);
  assert.deepEqual(await app.sql("select id from recoveries"), []);
  assert.equal(await deliverDue(app.deps), 0);
  assert.equal(target.received.length, 0);
});

withHooks("a recovery needs a period whose start is before its end", async (hooks) => {
  const { admin, subscribe } = hooks;
  const { id } = await subscribe();
  const readRefusal = async (body: object) =>
    readCodes(await admin.call("POST", `/v1/webhooks/${id}/recover`, body));
  assert.deepEqual(await readRefusal({}), ["since required"]);
  assert.deepEqual(await readRefusal({ since: null }), ["since required"]);
  assert.deepEqual(await readRefusal({ since: "yesterday" }), ["since format"]);
  assert.deepEqual(await readRefusal({ since: "2026-03-01 00:00:00", until: 7 }), ["until type"]);
  assert.deepEqual(await readRefusal({ since: "2026-03-01 00:00:00", until: "2026-02-01 00:00:00" }), [
    "until after",
  ]);
  const ahead = { since: "2030-01-01T00:00:00+01:00", until: null };
  assert.deepEqual((await admin.call("POST", `/v1/webhooks/${id}/recover`, ahead)).body, { queued: 0 });
});

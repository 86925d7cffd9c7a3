/** Subscriptions that get the events of each record in order. */
import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { releaseWork } from "../../src/delivery/webhooks/order.ts";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { runStaged } from "../../src/staged/run.ts";
import { nameFields } from "../sales/leads_world.ts";
import type { Body } from "../support/app.ts";
import type { Received } from "../support/listener.ts";
import { day, type Hooks, hour, minute, readDeliveryId, withHooks } from "./webhook_world.ts";

const readSequence = ({ headers }: Received) => Number(headers.get("x-service-sequence"));
const readEntity = ({ text }: Received): string => JSON.parse(text).id;
const all = { webhook_event: "*", ordered: true };

async function account({ call }: Hooks, name = "Ada Ltd"): Promise<string> {
  return (await call(201, "POST", "/v1/accounts", { fixed_fields: nameFields({ name }) })).id;
}

async function change({ call, app }: Hooks, id: string, n: number): Promise<void> {
  await call(200, "PUT", `/v1/accounts/${id}`, { external_id: `${id} ${n}` });
  await app.idle();
}

/** The numbers of the requests for a record, in the order of their arrival. */
function sequences({ target }: Hooks, id: string): number[] {
  return target.received.filter((one) => readEntity(one) === id).map(readSequence);
}

withHooks(
  "a subscription is ordered when it says so, and shows it",
  async ({ subscribe, call, admin, target }) => {
    const plain = await subscribe();
    assert.equal(plain.ordered, false);
    const path = `/v1/webhooks/${plain.id}`;
    assert.equal((await call(200, "PUT", path, { ordered: true })).ordered, true);
    assert.equal((await call(200, "GET", path)).ordered, true);
    assert.equal((await call(200, "PUT", path, { paused: true })).ordered, true);
    assert.equal((await call(200, "PUT", path, { ordered: false })).ordered, false);
    const body = { target_url: `${target.url}/other`, webhook_event: "*", ordered: "yes" };
    const { errors } = (await admin.call("POST", "/v1/webhooks", body)).body;
    assert.deepEqual(errors.map(({ path, code }: Body) => [path, code]), [["ordered", "type"]]);
  },
);

withHooks(
  "later events of a record wait for an earlier one, those of other records do not",
  async (hooks) => {
    const { target, subscribe, app, later } = hooks;
    await subscribe(all);
    target.answer((received) => readEntity(received) === first && readSequence(received) === 1 ? 500 : 200);
    let first = "";
    target.answer((received) =>
      JSON.parse(received.text).fixed_fields[0].value === "Ada Ltd" && fails ? 500 : 200
    );
    let fails = true;
    first = await account(hooks);
    for (let n = 2; n <= 4; n++) await change(hooks, first, n);
    const other = await account(hooks, "Ben Ltd");
    await change(hooks, other, 2);
    await app.idle();
    assert.deepEqual(sequences(hooks, first), [1]);
    assert.deepEqual(sequences(hooks, other), [1, 2]);
    await later(minute - 1000);
    assert.deepEqual(sequences(hooks, first), [1]);
    fails = false;
    await later(1000);
    assert.deepEqual(sequences(hooks, first), [1, 1, 2, 3, 4]);
    assert.equal(target.mostAtOnce(), 1);
  },
);

withHooks("the next is due at once when an earlier one has failed for good", async (hooks) => {
  const { target, subscribe, later, app } = hooks;
  await subscribe(all);
  target.answer((received) => readSequence(received) === 1 ? 500 : 200);
  const id = await account(hooks);
  await change(hooks, id, 2);
  assert.deepEqual(sequences(hooks, id), [1]);
  for (let wait = 1; wait <= 512; wait *= 2) await later(wait * minute);
  await app.idle();
  assert.deepEqual(sequences(hooks, id), [...Array(11).fill(1), 2]);
});

withHooks("a redelivery is sent out of its place, and holds nobody up", async (hooks) => {
  const { target, subscribe, later, log, call, app } = hooks;
  const { id: webhook } = await subscribe(all);
  const id = await account(hooks);
  await change(hooks, id, 2);
  target.answer(500);
  const done = (await log(webhook)).at(-1)!;
  await call(202, "POST", `/v1/webhooks/deliveries/${done.id}/redeliver`);
  await app.idle();
  target.answer(200);
  await change(hooks, id, 3);
  assert.deepEqual(sequences(hooks, id), [1, 2, 1, 3]);
  target.answer(500);
  await change(hooks, id, 4);
  await change(hooks, id, 5);
  assert.deepEqual(sequences(hooks, id).slice(4), [4]);
  target.answer(200);
  // The head leaves the order, so the next one is released, too.
  const head = (await log(webhook, "status=pending")).find((one) =>
    one.attempts === 1 && one.id !== done.id
  )!;
  await call(202, "POST", `/v1/webhooks/deliveries/${head.id}/redeliver`);
  await app.idle();
  assert.deepEqual(sequences(hooks, id).slice(5).sort(), [4, 5]);
  await later(hour);
});

withHooks("what waits comes into order when the subscription does, and out of it", async (hooks) => {
  const { target, subscribe, later, call, app } = hooks;
  const { id: webhook } = await subscribe({ webhook_event: "*" });
  target.answer(500);
  const id = await account(hooks);
  for (let n = 2; n <= 4; n++) await change(hooks, id, n);
  assert.deepEqual(sequences(hooks, id), [1, 2, 3, 4]);
  await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: true });
  await app.idle();
  target.clear();
  await later(minute);
  assert.deepEqual(sequences(hooks, id), [1]);
  await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: false });
  await app.idle();
  target.clear();
  await later(day);
  assert.deepEqual(sequences(hooks, id).sort(), [1, 2, 3, 4]);
});

/** The number of deliveries that wait for an earlier one of their record. */
async function countParked({ app }: Hooks): Promise<number> {
  const [{ n }] = await app.sql("select count(*) as n from deliveries where parked = 1") as [{ n: number }];
  return n;
}

/** Copies the delivery that is parked `n` times. */
async function park({ app }: Hooks, n: number): Promise<void> {
  const sql =
    `insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at, entity, parked)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
    select printf('p-%06d', i), company_id, webhook_id, event_id, due_at, created_at, entity, 1
    from deliveries, n where parked = 1`;
  await app.deps.db.write([{ sql, args: [n] }]);
}

withHooks("a change that does not happen releases nothing", async (hooks) => {
  const { target, subscribe, later, app, admin } = hooks;
  const { id: webhook } = await subscribe(all);
  target.answer(500);
  const id = await account(hooks);
  for (let n = 2; n <= 4; n++) await change(hooks, id, n);
  const { db } = app.deps;
  const { write } = db;
  Object.assign(db, {
    write: (statements: Parameters<typeof write>[0]) =>
      statements.some(({ sql }) => sql.startsWith('update "webhooks"'))
        ? Promise.reject(new DatabaseUnavailable("the process has died"))
        : write.call(db, statements),
  });
  assert.equal((await admin.call("PUT", `/v1/webhooks/${webhook}`, { ordered: false })).status, 503);
  Object.assign(db, { write });
  assert.equal(await countParked(hooks), 3);
  target.clear();
  await later(day);
  assert.deepEqual(sequences(hooks, id), [1]);
});

withHooks("what a change has not released yet, a job releases", async (hooks) => {
  const { target, subscribe, call, app } = hooks;
  const { id: webhook } = await subscribe(all);
  target.answer(500);
  await change(hooks, await account(hooks), 2);
  await park(hooks, 1_200);
  assert.equal(await countParked(hooks), 1_201);
  const { background } = app.deps;
  const { run } = background;
  background.run = () => {};
  await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: false });
  background.run = run;
  assert.equal(await countParked(hooks), 702, "the first 500 are the one in hand, and 499 behind it");
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
  assert.equal(await countParked(hooks), 0);
  assert.deepEqual(await app.sql("select count(*) as n from staged_work"), [{ n: 0 }]);
});

withHooks("one that is ordered again meanwhile keeps its order", async (hooks) => {
  const { target, subscribe, call, app } = hooks;
  const { id: webhook } = await subscribe(all);
  target.answer(500);
  const id = await account(hooks);
  await change(hooks, id, 2);
  await park(hooks, 600);
  const { background } = app.deps;
  const { run } = background;
  background.run = () => {};
  await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: false });
  await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: true });
  background.run = run;
  // What has left the order comes back in steps, before anything is sent.
  target.clear();
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.equal(await countParked(hooks), 601);
  assert.deepEqual(sequences(hooks, id).filter((sequence) => sequence !== 1), []);
});

withHooks("many deliveries come into order in steps, and nothing is sent before the last", async (hooks) => {
  const { target, subscribe, call, later, app } = hooks;
  const { id: webhook } = await subscribe({ webhook_event: "*" });
  target.answer(500);
  const ids = [await account(hooks, "Ada Ltd"), await account(hooks, "Ben Ltd")];
  for (const id of ids) await change(hooks, id, 2);
  await app.deps.db.write([{
    sql: `insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
      select printf('p-%06d-', i) || id, company_id, webhook_id, event_id, due_at - i * 1000, created_at
      from deliveries, n`,
    args: [],
  }]);
  const { background, db } = app.deps;
  const { run } = background;
  const { write } = db;
  let most = 0;
  Object.assign(db, {
    write: async (statements: Parameters<typeof write>[0]) => {
      const results = await write.call(db, statements);
      for (const [n, { changes }] of results.entries()) {
        if (/^update "?deliveries"?/.test(statements[n]!.sql)) most = Math.max(most, changes);
      }
      return results;
    },
  });
  background.run = () => {};
  await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: true });
  background.run = run;
  target.clear();
  await deliverDue(app.deps, app.clock.now() + day);
  assert.equal(target.received.length, 0, "it waits for the order");
  target.answer(200);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
  await later(day);
  assert.ok(most > 0 && most <= 500, `${most} rows in a commit`);
  for (const id of ids) {
    const sent = target.received.filter((one) => readEntity(one) === id).map(({ headers }) =>
      headers.get("x-service-delivery")
    );
    const rows = await app.sql(
      `select d.id from deliveries d join outbox o on o.id = d.event_id where o.entity_id = ? order by d.rowid`,
      id,
    );
    assert.equal(sent.length, 302);
    assert.ok(rows.every((row, n) => row.id === sent[n]), "in the order of the events");
  }
});

withHooks(
  "a record that the end of an order left parked goes on when the order begins again",
  async (hooks) => {
    const { target, subscribe, call, later, app } = hooks;
    const { id: webhook } = await subscribe(all);
    target.answer(500);
    const id = await account(hooks);
    for (let n = 2; n <= 3; n++) await change(hooks, id, n);
    // The end of the order had released the first, which was sent, when the order began again.
    await app.deps.db.write([
      {
        sql: "update deliveries set entity = null where rowid = (select min(rowid) from deliveries)",
        args: [],
      },
      {
        sql: "update deliveries set status = 'delivered' where rowid = (select min(rowid) from deliveries)",
        args: [],
      },
      { sql: "update webhooks set ordered = 0", args: [] },
    ]);
    assert.equal(await countParked(hooks), 2);
    await call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered: true });
    await app.idle();
    target.clear();
    target.answer(200);
    await later(day);
    assert.deepEqual(sequences(hooks, id), [2, 3]);
  },
);

withHooks(
  "nothing stays parked when the order ends again while a step of the release runs",
  async (hooks) => {
    const { target, subscribe, call, app } = hooks;
    const { id: webhook } = await subscribe(all);
    target.answer(500);
    await change(hooks, await account(hooks), 2);
    await park(hooks, 900);
    const order = (ordered: boolean) => call(200, "PUT", `/v1/webhooks/${webhook}`, { ordered });
    const { background, db } = app.deps;
    const { run } = background;
    background.run = () => {};
    await order(false);
    await order(true);
    const { read } = db;
    Object.assign(db, {
      read: async (statements: Parameters<typeof read>[0]) => {
        const results = await read.call(db, statements);
        if (statements.some(({ sql }) => sql.includes("is_free"))) {
          Object.assign(db, { read });
          await order(false);
        }
        return results;
      },
    });
    await runStaged(app.deps, app.clock.now(), [releaseWork], webhook);
    background.run = run;
    assert.equal(await countParked(hooks), 0);
    assert.deepEqual(await app.sql("select count(*) as n from staged_work"), [{ n: 0 }]);
  },
);

withHooks(
  "nothing is parked behind a pause: its events are missed, and the recovery sends them",
  async (hooks) => {
    const { target, subscribe, call, app } = hooks;
    const { id: webhook } = await subscribe(all);
    target.answer(500);
    const id = await account(hooks);
    await call(200, "PUT", `/v1/webhooks/${webhook}`, { paused: true });
    await change(hooks, id, 2);
    target.answer(200);
    target.clear();
    await call(200, "PUT", `/v1/webhooks/${webhook}`, { paused: false });
    await call(202, "POST", `/v1/webhooks/${webhook}/recover`, { since: "2026-01-01 00:00:00" });
    await app.idle();
    assert.deepEqual(sequences(hooks, id), [2]);
    await hooks.later(minute);
    assert.deepEqual(sequences(hooks, id), [2, 1]);
  },
);

withHooks(
  "a target that fails at random gets the sequences of each record strictly rising",
  async (hooks) => {
    const { target, subscribe, later, app } = hooks;
    await subscribe(all);
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    target.answer(() => random() < 0.5 ? 500 : { status: 200, delayMs: Math.floor(random() * 5) });
    const ids = await Promise.all([1, 2, 3, 4, 5].map((n) => account(hooks, `Ada ${n} Ltd`)));
    for (let n = 2; n <= 6; n++) {
      await Promise.all(ids.map((id) => change(hooks, id, n)));
      await later(minute);
    }
    for (let n = 0; n < 12; n++) await later(16 * minute);
    await app.idle();
    for (const id of ids) {
      const seen = target.received.filter((one) => readEntity(one) === id);
      const first = new Set<string>();
      const firsts = seen.filter((one) => !first.has(readDeliveryId(one)) && first.add(readDeliveryId(one)))
        .map(readSequence);
      assert.deepEqual(firsts, [1, 2, 3, 4, 5, 6]);
      assert.deepEqual(seen.map(readSequence), seen.map(readSequence).toSorted((one, other) => one - other));
    }
  },
);

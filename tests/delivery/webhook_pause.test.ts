import assert from "node:assert/strict";
import { pauseFailing } from "../../src/delivery/webhooks/pause.ts";
import { runJobs } from "../../src/jobs.ts";
import { day, type Hooks, hour, ladder, minute, withHooks } from "./webhook_world.ts";

async function jobs({ app }: Hooks): Promise<void> {
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
}

/** Makes events and lets all their attempts be made: eleven each, in 17 hours. */
async function ladders({ happens, later }: Hooks, events: number): Promise<void> {
  for (let n = 0; n < events; n++) await happens();
  for (const wait of ladder.slice(1)) await later(wait);
}

async function isPaused({ call }: Hooks, id: number): Promise<boolean> {
  return (await call(200, "GET", `/v1/webhooks/${id}`)).paused;
}

async function notifications({ call }: Hooks): Promise<{ type: string; data: unknown; message: string }[]> {
  return (await call(200, "GET", "/v1/notifications")).data;
}

withHooks(
  "a subscription with twenty failures and no success in five days is paused, and its user is notified",
  async (hooks) => {
    const { app, target, subscribe, call } = hooks;
    const { id, target_url } = await subscribe();
    target.answer(500);
    const began = app.clock.now();
    await ladders(hooks, 2);
    app.clock.set(began + 5 * day - minute);
    await jobs(hooks);
    assert.equal(await isPaused(hooks, id), false);
    app.clock.set(began + 5 * day);
    await jobs(hooks);
    assert.equal(await isPaused(hooks, id), true);
    const [reported, ...others] = await notifications(hooks);
    assert.deepEqual(others, []);
    assert.deepEqual([reported!.type, reported!.data], ["webhook_paused", { webhook: { id, target_url } }]);
    assert.match(reported!.message, new RegExp(`^Your webhook ${id} to 127.0.0.1:\\d+ has been paused: `));
    const [mail, ...more] = app.mailer.sent;
    assert.deepEqual([mail!.subject, more.length], ["A webhook has been paused", 0]);
    assert.ok(mail!.text.startsWith(reported!.message) && !mail!.text.includes("/hook"));
    assert.equal((await call(200, "GET", `/v1/webhooks/${id}`)).updated_at, "2026-03-07 09:00:00");
  },
);

withHooks("after days without jobs, a paused subscription has the time of its pause", async (hooks) => {
  const { app, target, subscribe, call } = hooks;
  const { id } = await subscribe();
  target.answer(500);
  const began = app.clock.now();
  await ladders(hooks, 2);
  app.clock.set(began + 5 * day - minute);
  await jobs(hooks);
  app.clock.set(began + 9 * day);
  await jobs(hooks);
  const { paused, updated_at } = await call(200, "GET", `/v1/webhooks/${id}`);
  assert.deepEqual([paused, updated_at], [true, "2026-03-11 09:00:00"]);
});

withHooks(
  "simultaneous and repeated checks pause a subscription once and notify once",
  async (hooks) => {
    const { app, target, subscribe } = hooks;
    await subscribe();
    target.answer(500);
    await ladders(hooks, 2);
    app.clock.move(5 * day - 17 * hour);
    const now = app.clock.now();
    const counts = await Promise.all([1, 2, 3, 4].map(() => pauseFailing(app.deps, now)));
    assert.equal(counts.reduce((sum, one) => sum + one), 1);
    await jobs(hooks);
    app.clock.move(day);
    await jobs(hooks);
    assert.equal((await notifications(hooks)).length, 1);
    assert.equal(app.mailer.sent.length, 1);
  },
);

withHooks("failures with a success in between never pause a subscription", async (hooks) => {
  const { app, target, subscribe, happens } = hooks;
  const { id } = await subscribe();
  for (let half = 0; half < 12; half++) {
    target.answer(500);
    await ladders(hooks, 1);
    target.answer(half % 4 === 3 ? 200 : 500);
    if (half % 4 === 3) await happens();
    app.clock.move(12 * hour);
    await jobs(hooks);
  }
  const [{ n } = {}] = await app.sql(
    "select count(*) as n from delivery_attempts where response_status = 500",
  );
  assert.ok(Number(n) > 100, String(n));
  assert.equal(await isPaused(hooks, id), false);
  assert.deepEqual(await notifications(hooks), []);
});

withHooks("fewer than twenty failures never pause a subscription", async (hooks) => {
  const { app, target, subscribe, happens, later } = hooks;
  const { id } = await subscribe();
  target.answer(500);
  await ladders(hooks, 1);
  app.clock.move(20 * day);
  await happens();
  for (const wait of ladder.slice(1, 8)) await later(wait);
  assert.equal(target.received.length, 19);
  await jobs(hooks);
  assert.equal(await isPaused(hooks, id), false);
  await later(ladder[8]!);
  await jobs(hooks);
  assert.equal(await isPaused(hooks, id), true);
});

withHooks("many failures in one day do not pause a subscription", async (hooks) => {
  const { app, target, subscribe, happens } = hooks;
  await subscribe();
  await happens();
  app.clock.move(30 * day);
  target.answer(500);
  for (let n = 0; n < 24; n++) await happens();
  await jobs(hooks);
  assert.deepEqual(await notifications(hooks), []);
});

withHooks(
  "a resumed subscription receives waiting deliveries and starts without failures",
  async (hooks) => {
    const { app, target, subscribe, happens, later, call } = hooks;
    const { id } = await subscribe();
    target.answer(500);
    await ladders(hooks, 2);
    app.clock.move(5 * day - 17 * hour);
    await happens();
    await jobs(hooks);
    assert.equal(await isPaused(hooks, id), true);
    const sent = target.received.length;
    await happens("Missed");
    assert.equal(await later(hour), 0);
    const resumed = await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
    assert.equal(resumed.paused, false);
    await app.idle();
    // The delivery that still had retries is sent, but not the missed one.
    assert.equal(target.received.length, sent + 1);
    for (let n = 0; n < 3; n++) {
      await jobs(hooks);
      app.clock.move(hour);
    }
    assert.equal(await isPaused(hooks, id), false);
    assert.equal((await notifications(hooks)).length, 1);
  },
);

withHooks(
  "a success during the check prevents the pause",
  async (hooks) => {
    const { app, target, subscribe } = hooks;
    const { id } = await subscribe();
    target.answer(500);
    await ladders(hooks, 2);
    app.clock.move(5 * day);
    // Simulates an answer that is recorded between the read and the write of the check.
    const read: typeof app.deps.db.read = async (statements) => {
      const found = await app.deps.db.read(statements);
      await app.deps.db.write([{
        sql: "update webhooks set failing_since = null, failures = 0",
        args: [],
      }]);
      return found;
    };
    app.clock.set(Date.UTC(2026, 2, 7, 9));
    assert.equal(await pauseFailing({ ...app.deps, db: { ...app.deps.db, read } }, app.clock.now()), 0);
    assert.equal(await isPaused(hooks, id), false);
    assert.deepEqual(await notifications(hooks), []);
  },
);

withHooks("a user who declines mail of a pause gets only the notification", async (hooks) => {
  const { app, target, subscribe, call } = hooks;
  const { id } = await subscribe();
  const types = { webhook_paused: { mail: false } };
  await call(200, "PUT", "/v1/notifications/preferences", { types });
  target.answer(500);
  const began = app.clock.now();
  await ladders(hooks, 2);
  app.clock.set(began + 5 * day);
  await jobs(hooks);
  assert.equal(await isPaused(hooks, id), true);
  assert.equal((await notifications(hooks)).length, 1);
  assert.equal(app.mailer.sent.length, 0);
});

for (
  const [what, changes] of [
    ["paused and resumed by its user", [{ paused: true }, { paused: false }]],
    ["sent elsewhere", [{ target_url: "http://127.0.0.1:1/elsewhere" }]],
  ] as const
) {
  withHooks(`a subscription that is ${what} starts without failures`, async (hooks) => {
    const { app, target, subscribe, call } = hooks;
    const { id } = await subscribe();
    target.answer(500);
    await ladders(hooks, 2);
    for (const change of changes) await call(200, "PUT", `/v1/webhooks/${id}`, change);
    app.clock.move(6 * day);
    await jobs(hooks);
    assert.equal(await isPaused(hooks, id), false);
  });
}

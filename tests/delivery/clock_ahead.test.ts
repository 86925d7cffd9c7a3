/** A clock that was once ahead delays nothing for long and loses nothing. */
import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { endInTime } from "../../src/db/clock_ahead.ts";
import { removeOldDeliveries } from "../../src/delivery/webhooks/expire.ts";
import { bringSomeBack, selectFarTargets } from "../../src/delivery/webhooks/bring_back.ts";
import { describeMailRows } from "../../src/delivery/mails/attempt.ts";
import { pushRows } from "../../src/delivery/notifications/push_claim.ts";
import { removeOldNotifications } from "../../src/delivery/notifications/expire.ts";
import { sendDuePushes } from "../../src/delivery/notifications/send.ts";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { exportRows } from "../../src/insight/exports/make.ts";
import { reportRows } from "../../src/insight/scheduled/claim.ts";
import { bringBack } from "../../src/later/row_claim.ts";
import { describeMessageRows } from "../../src/messages/campaigns/claim.ts";
import { runJobs } from "../../src/jobs.ts";
import { makeRefusal, startFcm } from "../support/fcm.ts";
import { startApp } from "../support/app.ts";
import { withMail } from "./mail_world.ts";
import { day, ladder, minute, withHooks } from "./webhook_world.ts";

const years = 4 * 365 * day;

for (const [ahead, name] of [[years, "four years"], [10 * day, "ten days"]] as const) {
  withHooks(
    `a delivery tried while the clock was ${name} ahead is kept, and sent once the clock is right`,
    async ({ app, target, subscribe, happens, log }) => {
      const { id } = await subscribe();
      target.answer(500);
      await happens();
      app.clock.move(ahead);
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      app.clock.move(-ahead);
      target.answer(200);
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      assert.deepEqual((await log(id)).map(({ status, attempts }) => [status, attempts]), [["delivered", 3]]);
    },
  );
}

withHooks("a retry waits for its delay, up to the longest", async (hooks) => {
  const { app, target, subscribe, happens, later } = hooks;
  await subscribe();
  target.answer(500);
  await happens();
  for (const wait of ladder.slice(1, -1)) assert.equal(await later(wait), 1);
  for (let waited = 0; waited < ladder.at(-1)!; waited += 128 * minute) {
    assert.equal(await deliverDue(app.deps), 0);
  }
  assert.equal(await later(ladder.at(-1)!), 1);
});

withHooks("more deliveries than one step changes become due together", async (hooks) => {
  const { app, company, target, subscribe, happens } = hooks;
  const { id } = await subscribe();
  await happens();
  await app.deps.db.write([{
    sql: "insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200) " +
      "select printf('f-%06d', i), ?, ?, (select id from outbox limit 1), ?, '2026-03-02 09:00:00' from n",
    args: [company.id, id, app.clock.now() + years],
  }]);
  assert.equal(await deliverDue(app.deps), 1200);
  assert.equal(target.received.length, 1201);
});

withHooks(
  "deliveries that wait for a paused subscription are kept with their events",
  async (hooks) => {
    const { app, target, call, subscribe, happens, later } = hooks;
    const { id } = await subscribe();
    target.answer(500);
    await happens();
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
    app.clock.move(60 * day);
    await removeOldDeliveries(app.deps, app.clock.now());
    target.answer(200);
    await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
    await app.idle();
    assert.equal(target.received.length, 2);
    assert.equal(await later(minute), 0);
    assert.equal(
      await removeOldDeliveries(app.deps, app.clock.now()),
      2,
      "then it is removed with its event",
    );
  },
);

withHooks(
  "a lease of a dead sender with a fast clock delays nothing",
  async (hooks) => {
    const { app, target, subscribe, happens } = hooks;
    const { id } = await subscribe();
    const held = { sql: "insert into leases values (?, 'dead', ?)", args: [`webhook:${id}`, 0] };
    await app.deps.db.write([{ ...held, args: [`webhook:${id}`, app.clock.now() + years] }]);
    await happens();
    assert.equal(target.received.length, 1);
  },
);

withHooks("a lease of a process whose clock is half a minute ahead holds", async (hooks) => {
  const { app, target, subscribe, call } = hooks;
  const { id } = await subscribe();
  const until = app.clock.now() + 40_000;
  await app.deps.db.write([
    { sql: "insert into leases values (?, 'other', ?)", args: [`webhook:${id}`, until] },
  ]);
  await call(201, "POST", "/v1/teams", { name: "North" });
  assert.equal(target.received.length, 0);
  await app.deps.db.write([{ sql: "delete from leases", args: [] }]);
  await app.idle();
  assert.equal(target.received.length, 1);
});

withHooks(
  "a subscription that failed while the clock was ahead is paused after five real days",
  async (hooks) => {
    const { app, target, subscribe, happens, call, later } = hooks;
    const { id } = await subscribe();
    target.answer(500);
    app.clock.move(years);
    await happens();
    app.clock.move(-years);
    await happens();
    await happens();
    for (const wait of ladder.slice(1)) await later(wait);
    app.clock.move(5 * day);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    assert.equal((await call(200, "GET", `/v1/webhooks/${id}`)).paused, true);
  },
);

withMail(
  "a mail tried while the clock was ahead is sent once the clock is right",
  async (world) => {
    const { deps, clock, smtp, write } = world;
    smtp.dead = true;
    clock.move(10 * day);
    await write("ann@example.com");
    await deps.background.idle();
    clock.move(-10 * day);
    smtp.dead = false;
    assert.deepEqual(await runJobs(deps, clock.now()), []);
    assert.equal(smtp.mails.length, 1);
  },
);

Deno.test("a push message tried while the clock was ahead is kept, and sent once the clock is right", async () => {
  await using fcm = await startFcm();
  await using app = await startApp(fcm.env);
  fcm.now = () => app.clock.now();
  const { admin } = await app.company();
  await admin.call("POST", "/v1/notifications/devices/d", { type: "iOS" });
  // The app does not list this notification, so it is removed after its time.
  const custom = { app: false, mail: false, push: true };
  await admin.call("PUT", "/v1/notifications/preferences", { types: { custom } });
  fcm.answer = () => makeRefusal(503, "UNAVAILABLE");
  app.clock.move(10 * day);
  await admin.call("POST", "/v1/notifications", { message: "Hello", notify: { users: [admin.id] } });
  await app.idle();
  await removeOldNotifications(app.deps, app.clock.now() + 3 * day);
  app.clock.move(-10 * day);
  fcm.answer = () => null;
  assert.equal(await sendDuePushes(app.deps, app.clock.now()), 1);
  assert.equal(fcm.pushes.length, 1);
  assert.equal(await removeOldNotifications(app.deps, app.clock.now() + 13 * day), 1, "sent, it goes");
});

Deno.test("delayed rows are found by seeks, for any number of waiting rows", async () => {
  await using app = await startApp();
  const queues = [
    describeMailRows("prompt", 0),
    describeMailRows("automated", 0),
    pushRows,
    exportRows,
    reportRows,
    describeMessageRows("email"),
  ];
  const statements = [selectFarTargets(1), bringSomeBack(1, 1), ...queues.map((rows) => bringBack(rows, 1))];
  for (const { sql, args } of statements) {
    const plan = await app.sql(`explain query plan ${sql.replace(/ returning 1$/, "")}`, ...args);
    const scans = plan.map(({ detail }) => String(detail)).filter((detail) => detail.startsWith("SCAN"));
    // The first seek of the walk over targets stops at the first row; `p` is what the walk has found.
    const bounded = [
      "SCAN d USING COVERING INDEX deliveries_ready",
      "SCAN pending",
      "SCAN p",
      // The campaigns that are being sent.
      "SCAN c USING INDEX campaigns_sending",
      "SCAN CONSTANT ROW",
      // The list of lanes.
      "SCAN l VIRTUAL TABLE INDEX 1:",
    ];
    assert.deepEqual(scans.filter((scan) => !bounded.includes(scan)), [], sql);
  }
});

withHooks(
  "a delivery created while the clock was ahead is removed after 30 real days",
  async (hooks) => {
    const { app, subscribe, happens } = hooks;
    await subscribe();
    app.clock.move(years);
    await happens();
    app.clock.move(-years);
    for (let days = 0; days <= 31; days++) {
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      assert.equal(
        (await app.sql("select count(*) as n from deliveries"))[0]!.n,
        days <= 30 ? 1 : 0,
        `${days} days`,
      );
      for (let hours = 0; hours < 24; hours++) {
        app.clock.move(day / 24);
        assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      }
    }
  },
);

Deno.test("a mail that ended while the clock was ahead is kept for 30 more days, and a waiting one without limit", async () => {
  await using app = await startApp();
  const now = app.clock.now();
  const never = 8.64e15;
  const mail = (id: string, status: string, end: number) => ({
    sql:
      "insert into mails (id, to_address, subject, body, status, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)",
    args: [id, "a@example.org", "Hello", "sealed", status, "2026-03-02 09:00:00", end],
  });
  await app.deps.db.write([
    mail("a", "failed", now + years),
    mail("b", "kept", now + 30 * day),
    mail("c", "failed", never),
  ]);
  assert.equal(await endInTime(app.deps, now, contributions.lifetimes), 1);
  assert.deepEqual(await app.sql("select id, expires_at - ? as left from mails order by id", now), [
    { id: "a", left: 30 * day },
    { id: "b", left: 30 * day },
    { id: "c", left: never - now },
  ]);
});

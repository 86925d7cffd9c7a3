import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { makePushAttempt } from "../../src/delivery/notifications/push_attempt.ts";
import { type ClaimedPush, pushRows } from "../../src/delivery/notifications/push_claim.ts";
import type { Row } from "../../src/platform/database/database.ts";
import { claimRows } from "../../src/later/row_claim.ts";
import { sendDuePushes } from "../../src/delivery/notifications/send.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { type Fcm, makeRefusal, startFcm } from "../support/fcm.ts";
import { memoryLog } from "../support/ports.ts";

const minute = 60_000;

/** A test over an app that pushes to a service on loopback. `wakes: false`: it loses every wake. */
function pushing(name: string, test: (app: TestApp, fcm: Fcm) => Promise<void>): void {
  Deno.test(name, async () => {
    await using fcm = await startFcm();
    await using app = await startApp(fcm.env);
    fcm.now = () => app.clock.now();
    await test(app, fcm);
  });
}

async function write(from: Actor, message: string, ...to: Actor[]) {
  const notify = { users: to.map(({ id }) => id) };
  const reply = await from.call("POST", "/v1/notifications", { message, notify });
  assert.equal(reply.status, 202, reply.text);
}

async function register(who: Actor, token: string, type = "iOS") {
  assert.equal((await who.call("POST", `/v1/notifications/devices/${token}`, { type })).status, 204);
}

const tokens = (fcm: Fcm) => fcm.pushes.map(({ token }) => token).sort();

pushing(
  "a notification is pushed to every device of its user with text, id and type",
  async (app, fcm) => {
    const company = await app.company();
    const [one, two] = [await company.user(), await company.user()];
    await register(one, "a:1");
    await register(one, "a:2", "Android");
    await register(two, "b:1");
    await write(company.admin, "Ten o'clock", one, company.admin);
    await app.idle();
    assert.deepEqual(tokens(fcm), ["a:1", "a:2"]);
    const { data: [{ id }] } = (await one.call("GET", "/v1/notifications")).body;
    for (const { notification, data } of fcm.pushes) {
      assert.deepEqual(notification, { title: "You have a new message", body: "Ten o'clock" });
      assert.deepEqual(data, { notification_id: id, type: "custom" });
    }
    assert.deepEqual(await app.sql("select 1 from pushes"), []);
    const said = JSON.stringify(app.log.entries);
    for (const secret of ["a:1", "Ten o'clock"]) assert.ok(!said.includes(secret), secret);
  },
);

pushing("a user who declines push messages of a type gets none", async (app, fcm) => {
  const company = await app.company();
  const [none, only] = [await company.user(), await company.user()];
  const choose = async (who: Actor, custom: object) =>
    assert.equal((await who.call("PUT", "/v1/notifications/preferences", { types: { custom } })).status, 200);
  await register(none, "none");
  await choose(none, { push: false });
  await register(only, "only");
  await choose(only, { app: false, mail: false });
  await write(company.admin, "Hello", none, only);
  await app.idle();
  assert.deepEqual(tokens(fcm), ["only"]);
  assert.equal(app.mailer.sent.length, 1);
});

pushing(
  "an unregistered device is removed with its waiting messages; the user's others stay",
  async (app, fcm) => {
    const { admin } = await app.company();
    await register(admin, "gone");
    await register(admin, "there");
    fcm.answer = ({ token }) =>
      token === "gone" ? makeRefusal(404, "UNREGISTERED") : makeRefusal(503, "UNAVAILABLE");
    await write(admin, "One", admin);
    await app.idle();
    app.clock.move(minute);
    await runJobs(app.deps, app.clock.now());
    assert.deepEqual(await app.sql("select token from devices"), [{ token: "there" }]);
    assert.deepEqual(await app.sql("select count(*) as n from pushes"), [{ n: 1 }]);
    assert.equal(fcm.pushes.length, 0);
  },
);

pushing(
  "while the push service is down eleven attempts follow, then the failure is logged",
  async (app, fcm) => {
    const { admin } = await app.company();
    await register(admin, "d");
    fcm.answer = () => makeRefusal(503, "UNAVAILABLE");
    await write(admin, "One", admin);
    await app.idle();
    const before = fcm.asked.messages;
    assert.equal(before, 1);
    for (let attempt = 2; attempt <= 11; attempt++) {
      const wait = 2 ** (attempt - 2) * minute;
      assert.equal(await sendDuePushes(app.deps, app.clock.now() + wait - 1), 0, `${attempt} too early`);
      app.clock.move(wait);
      assert.equal(await sendDuePushes(app.deps, app.clock.now()), 1, `${attempt}`);
    }
    assert.deepEqual(await app.sql("select 1 from pushes"), []);
    assert.equal(fcm.asked.messages, 11);
    const events = app.log.entries.filter(({ event }) => String(event).startsWith("push_")).map(({ event }) =>
      event
    );
    assert.deepEqual(events, [...Array.from({ length: 10 }, () => "push_delayed"), "push_failed"]);
  },
);

pushing(
  "once the push service is back a message is pushed once; a permanent refusal is not retried",
  async (app, fcm) => {
    const { admin } = await app.company();
    await register(admin, "a");
    await register(admin, "b");
    fcm.answer = () => makeRefusal(500, "INTERNAL");
    await write(admin, "One", admin);
    await app.idle();
    fcm.answer = ({ token }) => token === "b" ? makeRefusal(400, "INVALID_ARGUMENT") : null;
    for (let i = 0; i < 3; i++) {
      app.clock.move(minute);
      await runJobs(app.deps, app.clock.now());
    }
    assert.deepEqual(tokens(fcm), ["a"]);
    assert.deepEqual(await app.sql("select 1 from pushes"), []);
    assert.deepEqual((await app.sql("select token from devices order by token")).map(({ token }) => token), [
      "a",
      "b",
    ]);
  },
);

pushing(
  "messages waiting for a device that changes its user or is removed are not pushed",
  async (app, fcm) => {
    const company = await app.company();
    const [one, two] = [await company.user(), await company.user()];
    await register(one, "moved");
    await register(one, "removed");
    fcm.answer = () => makeRefusal(503, "UNAVAILABLE");
    await write(company.admin, "For one", one);
    await app.idle();
    await register(two, "moved");
    assert.equal((await one.call("DELETE", "/v1/notifications/devices/removed")).status, 204);
    fcm.answer = () => null;
    app.clock.move(minute);
    await runJobs(app.deps, app.clock.now());
    assert.equal(fcm.pushes.length, 0);
    await write(company.admin, "For two", two);
    await app.idle();
    assert.deepEqual(fcm.pushes.map(({ token, notification }) => [token, notification.body]), [[
      "moved",
      "For two",
    ]]);
  },
);

pushing(
  "without wakes two processes push each message once; a dead sender's message is taken over",
  async (app, fcm) => {
    const { admin } = await app.company();
    for (let i = 0; i < 12; i++) await register(admin, `d${i}`);
    fcm.answer = () => makeRefusal(503, "UNAVAILABLE");
    await write(admin, "One", admin);
    await app.idle();
    fcm.answer = () => null;
    app.clock.move(minute);
    // The state that a process leaves when it dies after it has claimed a message.
    await app.deps.db.write([{
      sql: "update pushes set due_at = ?, attempts = attempts + 1 where id = (select min(id) from pushes)",
      args: [app.clock.now() + minute],
    }]);
    const other = await openBox(
      loadConfig({ DATABASE_URL: `file:${app.file}`, WEBHOOK_ALLOW_PRIVATE: "true", ...fcm.env }),
      { clock: app.clock, log: memoryLog() },
    );
    try {
      await Promise.all([app.deps, other.deps].map((deps) => sendDuePushes(deps, app.clock.now())));
      assert.equal(fcm.pushes.length, 11);
      app.clock.move(minute);
      await Promise.all([app.deps, other.deps].map((deps) => sendDuePushes(deps, app.clock.now())));
    } finally {
      await other.close();
    }
    assert.deepEqual(tokens(fcm), Array.from({ length: 12 }, (_, i) => `d${i}`).sort());
  },
);

pushing(
  "a message that is still being sent when its lease ends is not sent by another run",
  async (app, fcm) => {
    const { admin } = await app.company();
    await register(admin, "d");
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<null>();
    fcm.answer = () => {
      asked.resolve();
      return answered.promise;
    };
    await write(admin, "One", admin);
    await asked.promise;
    app.clock.move(2 * minute);
    assert.equal(await sendDuePushes(app.deps, app.clock.now()), 0);
    assert.equal(fcm.asked.messages, 1);
    answered.resolve(null);
    await app.idle();
    assert.deepEqual(tokens(fcm), ["d"]);
    assert.deepEqual(await app.sql("select 1 from pushes"), []);
  },
);

pushing("a message whose claim waited for too long is given back unsent", async (app, fcm) => {
  const { admin } = await app.company();
  await register(admin, "d");
  fcm.answer = () => makeRefusal(503, "UNAVAILABLE");
  await write(admin, "One", admin);
  await app.idle();
  app.clock.move(minute);
  const now = app.clock.now();
  const [claimed] = await app.deps.db.write(
    claimRows(pushRows, { now, end: now + minute, again: now, inHand: [], most: 1, turn: -1 }),
  );
  const attempt = makePushAttempt(app.deps, app.deps.pusher!);
  const { recording } = await attempt({
    ...claimed!.rows[0] as Row & Omit<ClaimedPush, "waitFor">,
    waitFor: () => 0,
  }, {
    now: () => now,
    isHeld: () => false,
  });
  assert.equal(fcm.asked.messages, 1);
  await app.deps.db.write(recording);
  assert.deepEqual(await app.sql("select attempts, due_at from pushes"), [{ attempts: 1, due_at: now }]);
});

pushing("the messages of a deleted company wait until it comes back", async (app, fcm) => {
  const { id, admin } = await app.company();
  await register(admin, "d");
  fcm.answer = () => makeRefusal(503, "UNAVAILABLE");
  await write(admin, "One", admin);
  await app.idle();
  fcm.answer = () => null;
  const setDeleted = (at: string | null) =>
    app.deps.db.write([{ sql: "update companies set deleted_at = ? where id = ?", args: [at, id] }]);
  await setDeleted("2026-03-02 09:00:30");
  app.clock.move(minute);
  assert.equal(await sendDuePushes(app.deps, app.clock.now()), 0);
  await setDeleted(null);
  assert.equal(await sendDuePushes(app.deps, app.clock.now()), 1);
  assert.deepEqual(tokens(fcm), ["d"]);
});

Deno.test("without a service account no message waits", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await register(admin, "d");
  await write(admin, "Hello", admin);
  await app.idle();
  assert.deepEqual(await app.sql("select 1 from pushes"), []);
  assert.deepEqual(await app.sql("select unsent from notifications"), [{ unsent: 0 }]);
});

/** Runs of the jobs with a later time, and runs while the clock is wrong. */
import assert from "node:assert/strict";
import { runJobs } from "../src/jobs.ts";
import { sha256 } from "../src/platform/crypto.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { startTarget } from "./support/listener.ts";
import { makeSales } from "./sales/leads_world.ts";

const hour = 3_600_000;
const day = 24 * hour;
const years = 4 * 365 * day;

/** Counts the rows that expire with time, by kind, and the leads that have expired. */
async function lasting(app: TestApp): Promise<number[]> {
  const [row] = await app.sql(
    "select (select count(*) from idempotency_keys) as answers, (select count(*) from access_tokens) as tokens, " +
      "(select count(*) from deliveries) as deliveries, (select count(*) from outbox) as events, " +
      "(select count(*) from leads where hidden = 1) as expired",
  );
  return Object.values(row!).map(Number);
}

async function withHistory(
  test: (app: TestApp, sales: Awaited<ReturnType<typeof makeSales>>) => Promise<void>,
) {
  await using app = await startApp();
  const sales = await makeSales(app);
  await sales.admin.call("POST", "/v1/teams", { name: "North" }, { "Idempotency-Key": "a" });
  await sales.lead({ team_id: null, expires_at: "2027-01-01 00:00:00" });
  await app.deps.db.write([{
    sql: "update access_tokens set expires_at = ? where hash = ?",
    args: [app.clock.now() + hour, sha256(sales.agent.token)],
  }]);
  await app.idle();
  await test(app, sales);
}

Deno.test("a run with a later time escalates and sends what is due, removes nothing and delays nothing", async () => {
  await using app = await startApp();
  const target = startTarget();
  try {
    const sales = await makeSales(app);
    const { admin } = sales;
    await admin.call("POST", "/v1/webhooks", { target_url: target.url, webhook_event: "*" });
    const { id } = await sales.lead({ expires_at: "2031-01-01 00:00:00" });
    await sales.lead({ expires_at: "2027-01-01 00:00:00" });
    await app.idle();
    const before = await lasting(app);
    const received = target.received.length;
    assert.deepEqual(await runJobs(app.deps, app.clock.now() + years), []);
    await app.idle();
    const events = target.received.slice(received).map(({ headers }) => headers.get("x-service-event"));
    assert.deepEqual(events, ["lead_escalated"]);
    assert.equal((await admin.call("GET", `/v1/leads/${id}`)).body.status, "escalated");
    const [answers, tokens, deliveries, happened, expired] = await lasting(app);
    assert.deepEqual(
      [answers, tokens, deliveries! - 1, happened! - 1, expired],
      before,
      "exactly one event more",
    );
    await admin.call("POST", "/v1/teams", { name: "South" });
    await app.idle();
    assert.equal(target.received.at(-1)!.headers.get("x-service-event"), "team_created");
  } finally {
    await target.close();
  }
});

Deno.test("events of a run with a later time are sent now", async () => {
  await using app = await startApp();
  const target = startTarget();
  try {
    const sales = await makeSales(app);
    const { admin } = sales;
    const wanted = { webhook_event: "lead_escalated", verification_token: "s3cret" };
    await admin.call("POST", "/v1/webhooks", { target_url: target.url, ...wanted });
    await sales.lead();
    assert.deepEqual(await runJobs(app.deps, app.clock.now() + hour), []);
    await app.idle();
    assert.equal(target.received.length, 1);
    assert.equal(app.mailer.sent.length > 0, true, "its mails are sent now too");
    const signedAt = Number(target.received[0]!.headers.get("webhook-timestamp"));
    assert.equal(signedAt, app.clock.now() / 1000, "signed with the real time, or receivers reject it");
  } finally {
    await target.close();
  }
});

Deno.test("one run with a clock years ahead ends only what had less than an hour left", () =>
  withHistory(async (app) => {
    const before = await lasting(app);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    app.clock.move(years);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    app.clock.move(-years);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    const [answers, tokens, ...others] = await lasting(app);
    assert.deepEqual(
      [answers, tokens! + 1, ...others],
      before,
      "only the token with an hour left has ended",
    );
  }));

Deno.test("after a long time without jobs, old rows are removed within a few runs", () =>
  withHistory(async (app) => {
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    app.clock.move(25 * hour);
    const readLasting = async () => (await lasting(app))[0];
    for (let run = 1; run < 24; run++) {
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      assert.equal(await readLasting(), 1, `run ${run}`);
    }
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    assert.equal(await readLasting(), 0);
  }));

Deno.test("a clock that is set back also sets back the age of rows", () =>
  withHistory(async (app) => {
    app.clock.move(20 * hour);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    app.clock.move(-10 * hour);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    app.clock.move(10 * hour);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    const [{ reached } = {}] = await app.sql("select reached from ageing");
    assert.equal(reached, app.clock.now() - 9 * hour);
  }));

/** A clock that swings by two days uses up no attempts of mails, exports and scheduled reports. Webhooks: see jumps. */
import assert from "node:assert/strict";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { runJobs } from "../../src/jobs.ts";
import { day, minute, withMail } from "../delivery/mail_world.ts";
import { makeScene, path, readReports, scheduleReport } from "../insight/scheduled_scene.ts";
import { startApp } from "../support/app.ts";
import type { MovableClock } from "../support/ports.ts";

/** Runs the step after each of twenty times that the clock is set, within no time. */
async function swing(clock: MovableClock, step: () => Promise<unknown>): Promise<void> {
  for (let times = 0; times < 10; times++) {
    for (const by of [2 * day, -2 * day]) {
      clock.swing(by);
      await step();
    }
  }
}

withMail("a mail that a server delays waits as long as its attempts say", async (world) => {
  const { deps, clock, smtp, write, rows } = world;
  smtp.dead = true;
  await write("ann@example.com");
  await deps.background.idle();
  clock.move(minute);
  await runJobs(deps, clock.now());
  await swing(clock, () => runJobs(deps, clock.now()));
  const [row] = await rows();
  assert.deepEqual([row!.status, row!.attempts], ["pending", 2]);
  smtp.dead = false;
  clock.move(2 * minute);
  await runJobs(deps, clock.now());
  assert.equal(smtp.mails.length, 1);
  assert.deepEqual(await rows(), []);
});

Deno.test("exports that cannot be written are written once they can be", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { put, putStream } = app.deps.storage;
  const refuse = () => Promise.reject(new Error("a fault"));
  Object.assign(app.deps.storage, { put: refuse, putStream: refuse });
  const records = await admin.call("POST", "/v1/exports", { entity: "contacts", columns: ["last_name"] });
  const figures = await admin.call("GET", "/v1/reports/export?indicators=accounts.b2c.created&group_by=user");
  const paths = [`/v1/exports/${records.body.id}`, `/v1/reports/export/${figures.body.export_id}`];
  const work = async () => {
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    await app.idle();
  };
  const statuses = () => Promise.all(paths.map(async (path) => (await admin.call("GET", path)).body.status));
  await app.idle();
  await swing(app.clock, work);
  assert.deepEqual(await statuses(), ["pending", "pending"]);
  Object.assign(app.deps.storage, { put, putStream });
  for (let waits = 0; waits < 3; waits++) {
    app.clock.move(minute);
    await work();
  }
  assert.deepEqual(await statuses(), ["done", "done"]);
});

Deno.test("a scheduled report that cannot be stored is delivered once it can be", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const { id } = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "week" });
  await app.deps.db.script(
    "create trigger refused before insert on report_deliveries begin select raise(abort, 'full'); end",
  );
  const work = () => deliverReports(app.deps, app.clock.now());
  app.clock.move(7 * day);
  assert.equal(await work(), 1);
  await swing(app.clock, work);
  await app.deps.db.script("drop trigger refused");
  app.clock.move(10 * minute);
  assert.equal(await work(), 1);
  const { body } = await admin.call("GET", `${path}/${id}`);
  assert.deepEqual([body.next_delivery, body.error], ["2026-03-16", null]);
  assert.equal((await readReports(app)).length, 1);
});

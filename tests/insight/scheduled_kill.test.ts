import assert from "node:assert/strict";
import { removeObjects } from "../../src/db/objects.ts";
import { leaseMs } from "../../src/insight/scheduled/claim.ts";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { startApp } from "../support/app.ts";
import { startProcess } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";

Deno.test("a report comes once after SIGKILL of the process that stored its PDF, which leaves nothing behind", async () => {
  const [began, killed] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const stored = new Set<string>();
  await using bucket = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    await request.bytes();
    if (request.method === "DELETE") stored.delete(pathname);
    if (request.method !== "PUT") return new Response(null, { status: 204 });
    stored.add(pathname);
    if (stored.size === 1) {
      // The process never learns that it stored the file.
      began.resolve(pathname);
      await killed.promise;
    }
    return new Response(null, { headers: { ETag: '"1"' } });
  });
  const storage = {
    STORAGE_URL: `s3://crm?endpoint=http://127.0.0.1:${bucket.addr.port}&region=eu-central-1`,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  await using app = await startApp(storage);
  const { admin } = await app.company();
  const set = await admin.call("POST", "/v1/reports/indicator-sets", {
    name: "Users",
    indicators: ["users.total"],
  });
  const made = await admin.call("POST", "/v1/reports/scheduled", {
    name: "Users of the day",
    indicator_set_id: set.body.id,
    delivery_frequency: "day",
    recipient_user_ids: [admin.id],
  });
  const server = await startProcess(programArguments("tests/sweep/server.ts"), {
    DATABASE_URL: `file:${app.file}`,
    ...storage,
    NOW: String(app.clock.now()),
    LOG_LEVEL: "error",
  });
  const sent = await fetch(`${server.url}/v1/reports/scheduled/${made.body.id}/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${admin.token}` },
  });
  assert.equal(sent.status, 202, await sent.text());
  const orphan = await began.promise;
  await server.kill();
  killed.resolve();

  const now = app.clock.now();
  const counts = async () => {
    const [row] = await app.sql(`select (select count(*) from report_deliveries) as reports,
      (select count(*) from notifications where type = 'scheduled_report') as notifications,
      (select count(*) from mails) as mails, (select count(*) from files) as files`);
    return { ...row };
  };
  const before = await counts();
  assert.equal(before.reports, 0);
  assert.equal(await deliverReports(app.deps, now), 0, "the claim still holds");
  // The clock of the process went on after its start, so its lease ends within the minute after ours.
  assert.equal(await deliverReports(app.deps, now + leaseMs + 60_000), 1);
  assert.equal(await deliverReports(app.deps, now + 2 * leaseMs + 60_000), 0);
  assert.deepEqual(await counts(), {
    reports: 1,
    notifications: 1,
    mails: Number(before.mails) + 1,
    files: Number(before.files) + 1,
  });
  // The job that removes objects deletes the file that the killed process stored.
  await removeObjects(app.deps, now + 3 * 3_600_000);
  assert.deepEqual([stored.size, stored.has(orphan)], [1, false]);
});

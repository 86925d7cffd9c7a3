import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { leaseMs, queueReports, reportRows, selectDueReports } from "../../src/insight/scheduled/claim.ts";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { heldReports } from "../../src/insight/scheduled/held.ts";
import { claimRows } from "../../src/later/row_claim.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { makeScene, path, readReports, scheduleReport } from "./scheduled_scene.ts";
import { measureUntilGood } from "../support/measured.ts";

const day = 86_400_000;

const write = (app: TestApp, sql: string, ...args: (string | number)[]) => app.deps.db.write([{ sql, args }]);

/** Copies of a weekly report. */
async function copies(app: TestApp, id: string, from: number, to: number): Promise<void> {
  await write(
    app,
    "insert into scheduled_reports (id, company_id, user_id, name, indicator_set_id, frequency, filters, next_date, " +
      "next_at, zone, attempts, created_at, updated_at, version) with recursive n(i) as (select ? union all " +
      "select i + 1 from n where i < ?) select printf('copy-%d', n.i), company_id, user_id, name, indicator_set_id, " +
      "frequency, filters, next_date, next_at + n.i, zone, 0, created_at, updated_at, 1 from n, scheduled_reports " +
      "where id = ?",
    from,
    to,
    id,
  );
}

Deno.test("the search for due reports reads ranges of indexes only, with statistics too", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id]);
  const { sql, args } = selectDueReports(app.clock.now(), 500);
  const plan = async (remark: string) =>
    (await app.sql(`explain query plan ${sql} -- ${remark}`, ...args)).map(({ detail }) => String(detail))
      .filter((detail) => /^(SEARCH|SCAN)/.test(detail)).toSorted();
  const expected = [
    // The reports that are due, by the turns of their companies.
    "SCAN (subquery-4)",
    "SCAN (subquery-6)",
    "SCAN f VIRTUAL TABLE INDEX 1:",
    "SEARCH a USING INDEX scheduled_reports_next_by_frequency (frequency=? AND next_at>?)",
    "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH n USING COVERING INDEX scheduled_reports_next (next_at<?)",
    "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH w USING COVERING INDEX scheduled_reports_wanted (wanted_at>?)",
  ];
  assert.deepEqual(await plan("of few"), expected);
  await copies(app, made.id, 1, 10_000);
  // With a single company SQLite would rather scan the whole table.
  for (const _ of [1, 2, 3, 4]) await app.company();
  await write(app, "analyze");
  assert.deepEqual(await plan("of many"), expected);
  // The run puts what it found into the queue by its ids.
  const queueing = queueReports([made.id], 0);
  const [queued] = await app.sql(`explain query plan ${queueing.sql}`, ...queueing.args);
  assert.equal(
    queued!.detail,
    "SEARCH scheduled_reports USING INDEX sqlite_autoindex_scheduled_reports_1 (id=?)",
  );
});

Deno.test("a run that finds nothing due puts nothing into the queue, and no write looks for it", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  await scheduleReport(admin, set, [admin.id]);
  const written: string[] = [];
  const db = {
    ...app.deps.db,
    write(...given: Parameters<typeof app.deps.db.write>) {
      written.push(...given[0].map(({ sql }) => sql));
      return app.deps.db.write(...given);
    },
  };
  assert.equal(await deliverReports({ ...app.deps, db }, app.clock.now()), 0);
  assert.deepEqual(written.filter((sql) => /next_at|wanted_at/.test(sql)), []);
  // Another process has claimed it since it was read.
  const now = app.clock.now();
  await write(app, "update scheduled_reports set due_at = ?", now + leaseMs);
  const [queued] = await app.deps.db.write([queueReports(
    (await app.sql("select id from scheduled_reports")).map(({ id }) => String(id)),
    now,
  )]);
  assert.equal(queued!.changes, 0);
});

Deno.test("a search costs the same for 10 and for 10,000 reports that are not due", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id]);
  const fastest = async () => {
    let best = Infinity;
    for (let n = 0; n < 60; n++) {
      const started = performance.now();
      const [found] = await app.deps.db.read([selectDueReports(app.clock.now(), 500)]);
      best = Math.min(best, performance.now() - started);
      assert.deepEqual(found!.rows, []);
    }
    return best;
  };
  await copies(app, made.id, 1, 10);
  const few = await fastest();
  await copies(app, made.id, 11, 10_000);
  const many = await measureUntilGood(fastest, (time) => time < few * 2);
  assert.ok(many < few * 2, `${few} ms for 10, ${many} ms for 10,000`);
});

Deno.test("a report that is scheduled while the clock of its company changes is dated by the new one", async () => {
  await using app = await startApp();
  const { admin, company, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const changed = await admin.call("PUT", `/v1/companies/${company.id}`, {
    timezone: { name: "America/New_York" },
  });
  assert.equal(changed.status, 200, changed.text);
  // Simulates commits in the other order, with the zone and moment that were read before the change.
  const stale = { zone: "Europe/Berlin", next_at: app.clock.now() + day };
  await write(app, "update scheduled_reports set zone = ?, next_at = ?", stale.zone, stale.next_at);
  await copies(app, made.id, 1, 1);
  assert.deepEqual(await app.sql("select distinct next_at from scheduled_reports"), [{ next_at: 0 }]);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 2);
  assert.deepEqual(await readReports(app), []);
  const zones = await app.sql("select distinct zone, next_at from scheduled_reports");
  assert.deepEqual(zones, [{ zone: "America/New_York", next_at: Date.UTC(2026, 2, 3, 11) }]);
  assert.equal((await admin.call("GET", `${path}/${made.id}`)).body.next_delivery, "2026-03-03");
});

Deno.test("companies take turns: the report of one is not behind a thousand of another", async () => {
  await using app = await startApp();
  const busy = await makeScene(app);
  const made = await scheduleReport(busy.admin, busy.set, [busy.admin.id]);
  await copies(app, made.id, 1, 1_000);
  const calm = await makeScene(app);
  const alone = await scheduleReport(calm.admin, calm.set, [calm.admin.id]);
  await write(
    app,
    "update scheduled_reports set next_at = ? where id <> ?",
    app.clock.now() - 2_000,
    alone.id,
  );
  await write(
    app,
    "update scheduled_reports set next_at = ? where id = ?",
    app.clock.now() - 1_000,
    alone.id,
  );
  const [found] = await app.deps.db.read([selectDueReports(app.clock.now(), 500)]);
  assert.equal(found!.rows.findIndex(({ id }) => id === alone.id), 1);
});

Deno.test("retries of a company are not before the report of another, and what is not due is not in the queue", async () => {
  await using app = await startApp();
  const busy = await makeScene(app);
  const made = await scheduleReport(busy.admin, busy.set, [busy.admin.id]);
  await copies(app, made.id, 1, 100);
  const now = app.clock.now();
  await write(app, "update scheduled_reports set next_at = 0, due_at = ?, attempts = 1", now - 3_000);
  const calm = await makeScene(app);
  const alone = await scheduleReport(calm.admin, calm.set, [calm.admin.id]);
  const later = await scheduleReport(calm.admin, calm.set, [calm.admin.id]);
  await write(app, "update scheduled_reports set next_at = ? where id = ?", now - 1_000, alone.id);
  const [due] = await app.deps.db.read([selectDueReports(now, 500)]);
  await app.deps.db.write([queueReports(due!.rows.map(({ id }) => String(id)), now)]);
  const claim = { now, end: now + leaseMs, again: now, inHand: [], most: 2, turn: -1 };
  const [claimed] = await app.deps.db.write(claimRows(reportRows, claim));
  assert.equal(claimed!.rows.length, 2);
  assert.ok(claimed!.rows.some(({ id }) => id === alone.id));
  assert.deepEqual(await app.sql("select due_at from scheduled_reports where id = ?", later.id), [{
    due_at: null,
  }]);
});

Deno.test("under a clock that is behind a hold, what is not due is not dropped again and again", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const drop = (now: number, since: number) =>
    heldReports.drop({ deps: app.deps, now, at: formatTimestamp(now) }, since);
  const now = app.clock.now();
  assert.equal(await drop(now, now + day), 0);
  assert.equal(await drop(now + day, now + day), 1);
  assert.equal(await drop(now + day, now + day), 0);
  assert.equal((await admin.call("GET", `${path}/${made.id}`)).body.next_delivery, "2026-03-04");
});

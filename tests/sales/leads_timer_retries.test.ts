import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { escalateDue } from "../../src/sales/leads/escalate.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { hour } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";

const minute = 60_000;

Deno.test("leads that fail to escalate delay no others of their company or other companies, and the job reports the failure", async () => {
  await using app = await startApp();
  const broken = await makeSales(app);
  const place = await makeSales(app);
  const failing = await createLeads(broken, 120);
  app.clock.move(1000);
  const [id] = await createLeads(broken, 1);
  const [other] = await createLeads(place, 1);
  await fault(app, failing);
  app.clock.move(2 * hour);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  assert.equal(await readStatus(place, other!), "escalated");
  assert.equal(faults(app).length, 100, "at most a hundred of a company in a run");
  assert.deepEqual(new Set(faults(app).map((entry) => entry.company_id)), new Set([broken.company.id]));
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  assert.equal(await readStatus(broken, id!), "escalated");
  assert.deepEqual(faults(app).map((entry) => entry.record).sort(), failing.sort(), "the log reports each");
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), [], "they are not retried at once");
  await mend(app, failing);
  app.clock.move(minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.equal(await count(app, "leads where status = 'escalated'"), failing.length + 2);
  assert.equal(await count(app, "set_aside"), 0);
});

Deno.test("a failed lead is retried after one, two and four minutes, and at once after a change", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const [id] = await createLeads(place, 1);
  await fault(app, [id!]);
  app.clock.move(2 * hour);
  const tries: number[] = [];
  for (let minutes = 0; minutes < 16; minutes++) {
    const before = faults(app).length;
    await runJobs(app.deps, app.clock.now());
    if (faults(app).length > before) tries.push(minutes);
    app.clock.move(minute);
  }
  assert.deepEqual(tries, [0, 1, 3, 7, 15]);
  assert.deepEqual(faults(app).map(({ attempts }) => attempts), [1, 2, 3, 4, 5]);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.deps.db.write([{
    sql: "update leads set state = 'assigned', version = version + 1 where id = ?",
    args: [id!],
  }]);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.equal(await readStatus(place, id!), "escalated");
});

Deno.test("a lead that was set aside by a fast clock is retried once the clock is right", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const [id] = await createLeads(place, 1);
  await fault(app, [id!]);
  const years = 4 * 365 * 24 * hour;
  app.clock.move(years);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  app.clock.move(2 * hour - years);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  assert.equal(faults(app).length, 2);
});

Deno.test("a lead is retried after a day at the latest", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const [id] = await createLeads(place, 1);
  await fault(app, [id!]);
  app.clock.move(2 * hour);
  for (let day = 1; day <= 14; day++) {
    await runJobs(app.deps, app.clock.now());
    assert.equal(faults(app).length, day);
    app.clock.move(24 * hour);
  }
});

Deno.test("a lead that fails on read, on write, or by constant change delays no other", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const leads = await createLeads(place, 9);
  const [unreadable, unwritable, moving, ...others] = leads;
  await app.deps.db.write([
    { sql: "update leads set account = '{' where id = ?", args: [unreadable!] },
    refuse(unwritable!, "raise(abort, 'no')"),
    // Fails in the same way as a guard.
    refuse(moving!, "json_extract('{}', 'lead')"),
  ]);
  app.clock.move(2 * hour);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  for (const id of others) assert.equal(await readStatus(place, id), "escalated");
  assert.deepEqual(faults(app).map((entry) => entry.record).sort(), [unreadable, unwritable, moving].sort());
});

/** Makes every change of the lead fail. */
function refuse(id: string, how: string) {
  const sql =
    `create trigger "refuse ${id}" before update on leads when old.id = '${id}' begin select ${how}; end`;
  return { sql, args: [] };
}

Deno.test("an unavailable database sets no lead aside", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const [id] = await createLeads(place, 1);
  app.clock.move(2 * hour);
  const { db } = app.deps;
  for (const which of [1, 2]) {
    let reads = 0;
    const away: typeof db = {
      ...db,
      async read(statements) {
        if (++reads === which) throw new DatabaseUnavailable("away");
        return await db.read(statements);
      },
    };
    await assert.rejects(escalateDue({ ...app.deps, db: away }, app.clock.now()), /away/);
  }
  assert.deepEqual(faults(app), []);
  assert.equal(await count(app, "set_aside"), 0);
  assert.equal(await escalateDue(app.deps, app.clock.now()), 1);
  assert.equal(await readStatus(place, id!), "escalated");
});

Deno.test("the event of an escalation has the present type and team, once for each lead of a batch", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const leads = await createLeads(place, 3);
  app.clock.move(2 * hour);
  const { db } = app.deps;
  const changes = [
    [`/v1/lead-types/${place.type}`, { name: "Offer request" }],
    [`/v1/teams/${place.dealer}`, { name: "Harbour" }],
    [`/v1/leads/${leads[1]}`, { interest: "Estate" }],
  ] as const;
  let left = [...changes];
  const overtaken: typeof db = {
    ...db,
    async write(statements) {
      const [next, ...others] = left;
      left = others;
      if (next) {
        const [what, body] = next;
        const changed = await place.admin.call("PUT", what, body);
        assert.equal(changed.status, 200, changed.text);
      }
      return await db.write(statements);
    },
  };
  assert.equal(await escalateDue({ ...app.deps, db: overtaken }, app.clock.now()), 3);
  assert.deepEqual(left, []);
  for (const id of leads) {
    const sent = await app.sql(
      "select body from outbox where entity_id = ? and event_name = 'lead_escalated'",
      id,
    );
    assert.deepEqual(sent.map(({ body }) => body), [(await place.admin.call("GET", `/v1/leads/${id}`)).text]);
  }
  assert.deepEqual(faults(app), []);
});

async function createLeads(place: World, number: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: number }, () => place.lead()));
  return made.map(({ id }: Body) => id);
}

/** Gives them a state without a countdown, as only a fault could. */
async function fault(app: TestApp, ids: readonly string[]): Promise<void> {
  await setState(app, ids, "rejected");
}

async function mend(app: TestApp, ids: readonly string[]): Promise<void> {
  await setState(app, ids, "assigned");
}

async function setState(app: TestApp, ids: readonly string[], state: string): Promise<void> {
  await app.deps.db.write([{
    sql: "update leads set state = ? where id in (select value from json_each(?))",
    args: [state, JSON.stringify(ids)],
  }]);
}

async function readStatus({ admin }: World, id: string): Promise<string> {
  return (await admin.call("GET", `/v1/leads/${id}`)).body.status;
}

function faults(app: TestApp) {
  return app.log.entries.filter((entry) => entry.event === "record_set_aside");
}

async function count(app: TestApp, from: string): Promise<number> {
  const [row] = await app.sql(`select count(*) as n from ${from}`);
  return Number(row!.n);
}

import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { escalateDue } from "../../src/sales/leads/escalate.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { hour } from "./leads_states.ts";
import { type World, world } from "./leads_world.ts";

const minute = 60_000;

Deno.test("leads that cannot be moved hold up neither others of their company nor other companies, and the job tells that it failed", async () => {
  await using app = await startApp();
  const broken = await world(app);
  const place = await world(app);
  const stuck = await leadsOf(broken, 120);
  app.clock.move(1000);
  const [id] = await leadsOf(broken, 1);
  const [other] = await leadsOf(place, 1);
  await fault(app, stuck);
  app.clock.move(2 * hour);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  assert.equal(await statusOf(place, other!), "escalated");
  assert.equal(faults(app).length, 100, "no more than a hundred of a company in a run");
  assert.deepEqual(new Set(faults(app).map((entry) => entry.company_id)), new Set([broken.company.id]));
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  assert.equal(await statusOf(broken, id!), "escalated");
  assert.deepEqual(faults(app).map((entry) => entry.lead_id).sort(), stuck.sort(), "each is told of");
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), [], "nobody tries them again at once");
  await mend(app, stuck);
  app.clock.move(minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.equal(await count(app, "leads where status = 'escalated'"), stuck.length + 2);
  assert.equal(await count(app, "timer_retries"), 0);
});

Deno.test("a lead that could not be moved is tried again after a minute, then two, then four, and at once when it has changed", async () => {
  await using app = await startApp();
  const place = await world(app);
  const [id] = await leadsOf(place, 1);
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
  assert.equal(await statusOf(place, id!), "escalated");
});

Deno.test("a lead that was set aside while the clock was ahead is tried again as soon as it is right", async () => {
  await using app = await startApp();
  const place = await world(app);
  const [id] = await leadsOf(place, 1);
  await fault(app, [id!]);
  const years = 4 * 365 * 24 * hour;
  app.clock.move(years);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  app.clock.move(2 * hour - years);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  assert.equal(faults(app).length, 2);
});

Deno.test("a lead is tried again after a day at the latest", async () => {
  await using app = await startApp();
  const place = await world(app);
  const [id] = await leadsOf(place, 1);
  await fault(app, [id!]);
  app.clock.move(2 * hour);
  for (let day = 1; day <= 14; day++) {
    await runJobs(app.deps, app.clock.now());
    assert.equal(faults(app).length, day);
    app.clock.move(24 * hour);
  }
});

Deno.test("a lead that cannot be read, that cannot be written, or that is never as it was read holds nobody up", async () => {
  await using app = await startApp();
  const place = await world(app);
  const leads = await leadsOf(place, 9);
  const [unreadable, unwritable, moving, ...others] = leads;
  await app.deps.db.write([
    { sql: "update leads set account = '{' where id = ?", args: [unreadable!] },
    refuse(unwritable!, "raise(abort, 'no')"),
    // As a guard that refuses.
    refuse(moving!, "json_extract('{}', 'lead')"),
  ]);
  app.clock.move(2 * hour);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["escalateDue"]);
  for (const id of others) assert.equal(await statusOf(place, id), "escalated");
  assert.deepEqual(faults(app).map((entry) => entry.lead_id).sort(), [unreadable, unwritable, moving].sort());
});

/** What happens to a change of the lead. */
function refuse(id: string, how: string) {
  const sql =
    `create trigger "refuse ${id}" before update on leads when old.id = '${id}' begin select ${how}; end`;
  return { sql, args: [] };
}

Deno.test("a database that is away sets no lead aside", async () => {
  await using app = await startApp();
  const place = await world(app);
  const [id] = await leadsOf(place, 1);
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
  assert.equal(await count(app, "timer_retries"), 0);
  assert.equal(await escalateDue(app.deps, app.clock.now()), 1);
  assert.equal(await statusOf(place, id!), "escalated");
});

Deno.test("a lead that runs out is told of with its type and its team as they are by then, each of a batch once", async () => {
  await using app = await startApp();
  const place = await world(app);
  const leads = await leadsOf(place, 3);
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
    const told = await app.sql(
      "select body from outbox where entity_id = ? and event_name = 'lead_escalated'",
      id,
    );
    assert.deepEqual(told.map(({ body }) => body), [(await place.admin.call("GET", `/v1/leads/${id}`)).text]);
  }
  assert.deepEqual(faults(app), []);
});

async function leadsOf(place: World, number: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: number }, () => place.lead()));
  return made.map(({ id }: Body) => id);
}

/** Gives them a state that no countdown runs in, as only a fault could. */
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

async function statusOf({ admin }: World, id: string): Promise<string> {
  return (await admin.call("GET", `/v1/leads/${id}`)).body.status;
}

function faults(app: TestApp) {
  return app.log.entries.filter((entry) => entry.event === "timer_failed");
}

async function count(app: TestApp, from: string): Promise<number> {
  const [row] = await app.sql(`select count(*) as n from ${from}`);
  return Number(row!.n);
}

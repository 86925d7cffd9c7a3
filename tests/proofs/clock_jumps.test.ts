/** The clock jumps forwards and back while timers of leads run: each moves once, and none is lost. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Body, startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";

const hour = 3_600_000;
const day = 24 * hour;

for (const [jump, name] of [[hour + 60_000, "an hour"], [2 * day, "two days"]] as const) {
  Deno.test(`a clock that jumps by ${name}, forwards and back, moves each lead that is due once`, async () => {
    await using app = await startApp();
    const { admin, agent, lead } = await makeSales(app);
    const jobs = async () => assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    const readStatus = async ({ id }: Body) => (await admin.call("GET", `/v1/leads/${id}`)).body.status;
    const escalations = async ({ id }: Body) => {
      const rows = await app.sql(
        "select count(*) as n from outbox where event_name = 'lead_escalated' and entity_id = ?",
        id,
      );
      return Number(rows[0]!.n);
    };
    const before = await lead();
    app.clock.move(jump);
    const during = await lead();
    await jobs();
    assert.deepEqual([await readStatus(before), await readStatus(during)], ["escalated", "assigned"]);
    app.clock.move(-jump);
    const after = await lead();
    for (let again = 0; again < 3; again++) await jobs();
    assert.deepEqual([await escalations(before), await escalations(during)], [1, 0]);
    // Who calls a lead that escalated while the clock was ahead goes on with it.
    const called = await agent.call("PUT", `/v1/leads/${before.id}/call`);
    assert.ok(called.status < 300, called.text);
    app.clock.move(-jump);
    await jobs();
    app.clock.move(jump + hour + 60_000);
    for (let again = 0; again < 2; again++) await jobs();
    assert.equal(await readStatus(after), "escalated");
    app.clock.move(jump + hour);
    for (let again = 0; again < 2; again++) await jobs();
    assert.equal(await readStatus(during), "escalated");
    for (const one of [before, during, after]) assert.equal(await escalations(one), 1);
    assert.equal(app.log.entries.filter(({ status }) => status === 500).length, 0);
  });
}

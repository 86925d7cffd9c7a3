import assert from "node:assert/strict";
import { claimStatements, selectDueTargets } from "../../src/delivery/webhooks/claim.ts";
import { type Company, withCompany } from "./company.ts";
import { measureUntilGood } from "../support/measured.ts";

async function wait(company: Company, webhook: number, from: number, to: number): Promise<void> {
  await company.change(
    "insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at) " +
      "with recursive n(i) as (select ? union all select i + 1 from n where i < ?) " +
      "select printf('%012x', i), ?, ?, (select id from outbox limit 1), 1, '2026-03-02 09:00:00' from n",
    from,
    to,
    company.id,
    webhook,
  );
}

/** Returns the milliseconds of the fastest of many runs. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let n = 0; n < 60; n++) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

Deno.test("a claim costs the same for any number of waiting deliveries", () =>
  withCompany(async (company) => {
    const id = await company.subscribe("http://127.0.0.1:9/");
    await company.happens({});
    const now = company.clock.now();
    const claim = claimStatements({
      holder: "h",
      now,
      groups: [company.id],
      turns: [],
      held: [],
      taken: ["a"],
    });
    const times = async (from: number, to: number, isGood: (time: number) => boolean) => {
      await wait(company, id, from, to);
      await company.deps.db.write(claim);
      return await measureUntilGood(
        async () =>
          await fastest(() => company.deps.db.write(claim)) +
          await fastest(() => company.deps.db.read([selectDueTargets(now)])),
        isGood,
      );
    };
    const few = await times(1, 1_000, () => true);
    const many = await times(1_001, 100_000, (time) => time < few * 2);
    assert.ok(many < few * 2, `${few} ms with 1,000 waiting, ${many} ms with 100,000`);
  }));

Deno.test("no statement of a claim reads all deliveries, leases or subscriptions", () =>
  withCompany(async (company) => {
    const held = [{ id: 1, isBusy: true, capacity: 1 }];
    const claim = claimStatements({ holder: "h", now: 1, groups: [1], turns: [2], held, taken: [] });
    for (const { sql, args } of [...claim, selectDueTargets(1)]) {
      const plan = await company.rows(`explain query plan ${sql.replace("returning name", "")}`, ...args);
      const scans = plan.map(({ detail }) => String(detail))
        .filter((detail) => /^SCAN (?:d|y|w|l|o|u|c|leases|deliveries)\b/.test(detail));
      // The first seek of the walk over targets: it stops at the first row.
      assert.deepEqual(scans.filter((scan) => scan !== "SCAN d USING COVERING INDEX deliveries_ready"), []);
    }
  }));

Deno.test("a claim costs the same for any number of deliveries that wait behind an earlier one of their record", () =>
  withCompany(async (company) => {
    const id = await company.subscribe("http://127.0.0.1:9/");
    await company.change("update webhooks set ordered = 1 where id = ?", id);
    await company.happens({ entity: "one" });
    const claim = claimStatements({
      holder: "h",
      now: company.clock.now(),
      groups: [company.id],
      turns: [],
      held: [],
      taken: ["a"],
    });
    const times = async (from: number, to: number, isGood: (time: number) => boolean) => {
      await wait(company, id, from, to);
      await company.change("update deliveries set entity = 'account one', parked = 1 where due_at = 1");
      await company.deps.db.write(claim);
      return await measureUntilGood(
        async () =>
          await fastest(() => company.deps.db.write(claim)) +
          await fastest(() => company.happens({ entity: "one" })),
        isGood,
      );
    };
    const few = await times(1, 1_000, () => true);
    const many = await times(1_001, 100_000, (time) => time < few * 2);
    assert.ok(many < few * 2, `${few} ms with 1,000 waiting, ${many} ms with 100,000`);
  }));

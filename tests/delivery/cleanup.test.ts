import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { removeExpired } from "../../src/db/expiry.ts";
import { removeOldDeliveries } from "../../src/delivery/webhooks/expire.ts";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { type Company, minute, withCompany } from "./company.ts";
import { withTarget } from "./target.ts";

const day = 24 * 60 * minute;

async function counts(company: Company): Promise<unknown> {
  const [row] = await company.rows(
    "select (select count(*) from deliveries) as deliveries, (select count(*) from delivery_attempts) as attempts, " +
      "(select count(*) from outbox) as events",
  );
  return row;
}

withTarget("deliveries and events are kept for 30 days", async (company, target) => {
  await company.happens({});
  await company.subscribe(target.url);
  await company.happens(...Array.from({ length: 1_200 }, () => ({})));
  await deliverDue(company.deps);
  company.clock.move(day);
  await company.happens({}, {});
  await deliverDue(company.deps);
  company.clock.move(29 * day);
  assert.equal(await removeOldDeliveries(company.deps, company.clock.now()), 0);
  assert.deepEqual(await counts(company), { deliveries: 1_202, attempts: 1_202, events: 1_203 });
  company.clock.move(1_000);
  assert.equal(await removeOldDeliveries(company.deps, company.clock.now()), 2_401);
  assert.deepEqual(await counts(company), { deliveries: 2, attempts: 2, events: 2 });
});

Deno.test("expired rows are removed, large numbers in several steps", () =>
  withCompany(async (company) => {
    const until = company.clock.now();
    const ids = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1300)";
    const kept = "insert into idempotency_keys (client_id, user_id, key, fingerprint, status, expires_at)";
    await company.change(`${kept} ${ids} select 'c', 0, i, '', 200, ? from n`, until);
    await company.change(`${kept} values ('c', 0, 'later', '', 200, ?)`, until + 1);
    await company.change("insert into leases values ('old', 'h', ?), ('held', 'h', ?)", until, until + 1);
    assert.equal(await removeExpired(company.deps, until, contributions.lifetimes), 1_301);
    assert.deepEqual(await company.rows("select key from idempotency_keys"), [{ key: "later" }]);
    assert.deepEqual(await company.rows("select name from leases"), [{ name: "held" }]);
  }));

withTarget(
  "the feed begins after the last event of the company that was removed, not of a test",
  async (company) => {
    await company.happens({}, {});
    const [{ first }] = await company.rows("select min(position) as first from outbox") as [
      { first: number },
    ];
    const floor = () => company.rows("select position from feed_floors");
    await removeOldDeliveries(company.deps, company.clock.now());
    assert.deepEqual(await floor(), []);
    await company.change("update outbox set event_name = 'webhook_test' where position > ?", first);
    company.clock.move(31 * day);
    await company.happens({});
    assert.equal(await removeOldDeliveries(company.deps, company.clock.now()), 2);
    assert.deepEqual(await floor(), [{ position: first }]);
  },
);

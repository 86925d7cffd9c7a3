import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { removeOldDeliveries } from "../../src/delivery/webhooks/expire.ts";
import { removeExpired } from "../../src/db/expiry.ts";
import { makeDeliveryRun } from "../../src/delivery/webhooks/sender.ts";
import { startTarget } from "../support/listener.ts";
import { minute, withCompany } from "./company.ts";

Deno.test("on a remote database an event takes one request to claim and one to record", () =>
  withCompany(async (company, hrana) => {
    const target = startTarget();
    try {
      await company.subscribe(target.url, "t");
      await company.happens({});
      hrana!.reset();
      const sender = makeDeliveryRun(company.deps, company.clock, minute, { groups: [company.id] });
      assert.equal(await sender.run(), 1);
      assert.equal(hrana!.roundTrips(), 2);
      assert.equal(target.received.length, 1);
    } finally {
      await target.close();
    }
  }, "far away"));

Deno.test("on a remote database deliveries fail, retry, end and are removed as on a file", () =>
  withCompany(async (company) => {
    const target = startTarget({ answers: [500, 200, 410] });
    try {
      await company.subscribe(target.url, "t");
      await company.happens({});
      assert.equal(await deliverDue(company.deps), 1);
      company.clock.move(minute);
      assert.equal(await deliverDue(company.deps), 1);
      await company.happens({});
      assert.equal(await deliverDue(company.deps), 1);
      assert.deepEqual(await company.rows("select status, attempts from deliveries order by rowid"), [
        { status: "delivered", attempts: 2 },
        { status: "failed", attempts: 1 },
      ]);
      assert.deepEqual(await company.rows("select target_gone from webhooks"), [{ target_gone: 1 }]);
      company.clock.move(31 * 24 * 60 * minute);
      assert.equal(await removeOldDeliveries(company.deps, company.clock.now()), 4);
      assert.equal(await removeExpired(company.deps, company.clock.now(), contributions.lifetimes), 0);
    } finally {
      await target.close();
    }
  }, "far away"));

import assert from "node:assert/strict";
import { continueRecoveries, recoveredAtOnce } from "../../src/delivery/webhooks/recover.ts";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { removeOldDeliveries } from "../../src/delivery/webhooks/expire.ts";
import { pauseFailing } from "../../src/delivery/webhooks/pause.ts";
import { startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { startTarget } from "../support/listener.ts";
import { day, insertManyFailed, ladder } from "./webhook_world.ts";

Deno.test("on a remote database subscriptions fail, pause, resume, recover and are restored as on a file", () =>
  farDatabase(async ({ env }) => {
    await using app = await startApp(env);
    const target = startTarget({ answers: [500] });
    try {
      const company = await app.company();
      const { admin } = company;
      const call = async (status: number, method: string, path: string, body?: unknown) => {
        const reply = await admin.call(method, path, body);
        assert.equal(reply.status, status, reply.text);
        return reply.body;
      };
      const given = { target_url: target.url, webhook_event: "team_created", verification_token: "one" };
      const { id } = await call(201, "POST", "/v1/webhooks", given);
      for (const name of ["North", "South"]) await call(201, "POST", "/v1/teams", { name });
      await app.idle();
      for (const wait of ladder.slice(1)) {
        app.clock.move(wait);
        assert.equal(await deliverDue(app.deps), 2);
      }
      app.clock.move(5 * day);
      assert.equal(await pauseFailing(app.deps, app.clock.now()), 1);
      await call(201, "POST", "/v1/teams", { name: "Missed" });
      const change = { paused: false, verification_token: "two" };
      assert.equal((await call(200, "PUT", `/v1/webhooks/${id}`, change)).paused, false);
      await insertManyFailed({ app, company }, id, recoveredAtOnce + 200);
      await call(200, "PUT", `/v1/webhooks/${id}`, { paused: true });
      const always = { since: "2026-01-01 00:00:00" };
      const { queued } = await call(202, "POST", `/v1/webhooks/${id}/recover`, always);
      assert.equal(queued, recoveredAtOnce + 203);
      await app.idle();
      assert.equal(await continueRecoveries(app.deps, app.clock.now()), 0);
      const counts = async () => await app.sql("select status, n from delivery_counts where n > 0");
      assert.deepEqual(await counts(), [{ status: "pending", n: queued }]);
      await app.deps.db.write([{ sql: "delete from deliveries where id like 'f-%'", args: [] }]);
      target.answer(410);
      await call(200, "PUT", `/v1/webhooks/${id}`, { paused: false });
      await app.idle();
      await call(404, "GET", `/v1/webhooks/${id}`);
      assert.deepEqual(await counts(), [{ status: "failed", n: 3 }]);
      await call(200, "POST", `/v1/webhooks/${id}/restore`);
      target.answer(200);
      assert.deepEqual(await call(202, "POST", `/v1/webhooks/${id}/recover`, always), { queued: 3 });
      await app.idle();
      const { data } = await call(200, "GET", `/v1/webhooks/${id}/deliveries?status=delivered`);
      assert.equal(data.length, 3);
      const { request } = await call(200, "GET", `/v1/webhooks/deliveries/${data[0].id}`);
      assert.equal(request.headers["webhook-signature"].split(" ").length, 2);
      app.clock.move(31 * day);
      await removeOldDeliveries(app.deps, app.clock.now());
      assert.deepEqual(await counts(), []);
    } finally {
      await target.close();
    }
  }));

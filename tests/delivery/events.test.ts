import assert from "node:assert/strict";
import { eventNames } from "../../src/core/events.ts";
import { runJobs } from "../../src/jobs.ts";
import { startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { nameFields } from "../sales/leads_world.ts";
import { causes } from "./events/causes.ts";
import { eventsWorld, Subscribed } from "./events/world.ts";

Deno.test("for every event there is a change that causes it", () => {
  assert.deepEqual(Object.keys(causes).sort(), [...eventNames].sort());
  for (const [name, lines] of Object.entries(causes)) assert.ok(Object.keys(lines).length > 0, name);
});

Deno.test("each change sends each record's event to users who may GET it, with the bytes of their GET", async (t) => {
  await using app = await startApp();
  const subscribed = await Subscribed.to(await eventsWorld(app));
  try {
    for (const name of eventNames) {
      for (const [words, cause] of Object.entries(causes[name])) {
        await t.step(`${name}: ${words}`, () => subscribed.check(name, cause));
      }
    }
  } finally {
    await subscribed.close();
  }
});

Deno.test("body and receivers of an event are those of its time, even when it arrives late", async () => {
  await using app = await startApp();
  const world = await eventsWorld(app);
  const { admin, member, stranger, dealer, far, make, custom } = world;
  const target = startTarget({ path: "", answers: [500] });
  try {
    for (const [name, actor] of Object.entries({ admin, member, stranger })) {
      await make(actor, "/v1/webhooks", {
        target_url: `${target.url}/${name}`,
        webhook_event: "account_created",
      });
    }
    const account = await make(admin, "/v1/accounts", {
      team_id: dealer,
      fixed_fields: nameFields({ name: "Ada Ltd" }),
      custom_fields: custom.account,
    });
    const path = `/v1/accounts/${account.id}`;
    const then = { "/admin": await admin.call("GET", path), "/member": await member.call("GET", path) };
    await app.idle();
    // The record now belongs to another team and user, and the users who see it have changed.
    const changed = { team_id: far, fixed_fields: nameFields({ name: "Grace Ltd" }) };
    assert.equal((await admin.call("PUT", path, changed)).status, 200);
    for (const [{ id }, team] of [[member, far], [stranger, dealer]] as const) {
      const address = `/v1/companies/${world.company.id}/users/${id}`;
      assert.equal((await admin.call("PUT", address, { team_ids: [team] })).status, 200);
    }
    target.answer(200);
    app.clock.move(60_000);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    const sent = target.received.map(({ path, text }) => [path, text]);
    const expected = Object.entries(then).map(([path, { text }]) => [path, text]);
    assert.deepEqual(sent.sort(), [...expected, ...expected].sort());
  } finally {
    await target.close();
  }
});

Deno.test("a refused change sends no event, and a repeated one sends one", async () => {
  await using app = await startApp();
  const { admin, make } = await eventsWorld(app);
  const target = startTarget();
  try {
    await make(admin, "/v1/webhooks", { target_url: target.url, webhook_event: "*" });
    const body = { external_id: "erp-1", fixed_fields: nameFields({ name: "Ada Ltd" }) };
    const headers = { "Idempotency-Key": "once" };
    for (const _ of [1, 2]) {
      assert.equal((await admin.call("POST", "/v1/accounts", body, headers)).status, 201);
    }
    assert.equal((await admin.call("POST", "/v1/accounts", body)).status, 422);
    const { id } = JSON.parse((await target.waitForCount(1))[0]!.text);
    const stale = { "If-Match": '"old"' };
    assert.equal((await admin.call("PUT", `/v1/accounts/${id}`, {}, stale)).status, 412);
    await app.idle();
    assert.equal(target.received.length, 1);
  } finally {
    await target.close();
  }
});

/** A company has room for `WEBHOOK_LIMIT` subscriptions, since each change writes a delivery for every one. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { readCodes } from "./webhook_world.ts";

const hook = (n: number | string) => ({
  target_url: `https://example.org/hooks/${n}`,
  webhook_event: "team_created",
});

Deno.test("one subscription more than WEBHOOK_LIMIT is refused, paused ones counted; deleting one makes room", async () => {
  await using app = await startApp({ WEBHOOK_LIMIT: "2" });
  const [{ admin }, other] = [await app.company(), await app.company("Other")];
  const { body: { id } } = await admin.call("POST", "/v1/webhooks", hook(1));
  assert.equal((await admin.call("PUT", `/v1/webhooks/${id}`, { paused: true })).status, 200);
  assert.equal((await admin.call("POST", "/v1/webhooks", hook(2))).status, 201);
  const refused = await admin.call("POST", "/v1/webhooks", hook(3));
  assert.deepEqual(readCodes(refused), ["target_url max"]);
  assert.match(refused.body.errors[0].message, /At most 2 subscriptions/);
  assert.equal((await other.admin.call("POST", "/v1/webhooks", hook(1))).status, 201);
  assert.equal((await admin.call("DELETE", `/v1/webhooks/${id}`)).status, 204);
  assert.equal((await admin.call("POST", "/v1/webhooks", hook(3))).status, 201);
});

Deno.test("simultaneous subscriptions do not exceed the limit", async () => {
  await using app = await startApp({ WEBHOOK_LIMIT: "3" });
  const { admin } = await app.company();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => admin.call("POST", "/v1/webhooks", hook(n))),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 422, 422, 422, 422, 422]);
});

Deno.test("a restore needs room, an inherited subscription does not", async () => {
  await using app = await startApp({ WEBHOOK_LIMIT: "2" });
  const target = startTarget();
  try {
    const company = await app.company();
    const { admin } = company;
    const user = await company.user({ type: "admin" });
    const given = { ...hook(0), target_url: target.url };
    const { body: { id } } = await user.call("POST", "/v1/webhooks", given);
    target.answer(() => ({ status: 410 }));
    await admin.call("POST", "/v1/teams", { name: "North" });
    await app.idle();
    assert.equal((await user.call("GET", `/v1/webhooks/${id}`)).status, 404);
    assert.equal((await user.call("POST", "/v1/webhooks", hook(1))).status, 201);
    const last = await admin.call("POST", "/v1/webhooks", hook(2));
    assert.deepEqual(readCodes(await user.call("POST", `/v1/webhooks/${id}/restore`)), ["target_url max"]);
    const gone = await admin.call(
      "DELETE",
      `/v1/companies/${company.id}/users/${user.id}?assign_to=${admin.id}`,
    );
    assert.equal(gone.status, 204, gone.text);
    assert.equal((await admin.call("GET", "/v1/webhooks")).body.data.length, 2);
    assert.deepEqual(readCodes(await admin.call("POST", `/v1/webhooks/${id}/restore`)), ["target_url max"]);
    assert.equal((await admin.call("DELETE", `/v1/webhooks/${last.body.id}`)).status, 204);
    const both = await Promise.all([
      admin.call("POST", `/v1/webhooks/${id}/restore`),
      admin.call("POST", "/v1/webhooks", hook(3)),
    ]);
    assert.equal(both.filter(({ status }) => status < 300).length, 1, both.map(({ text }) => text).join());
  } finally {
    await target.close();
  }
});

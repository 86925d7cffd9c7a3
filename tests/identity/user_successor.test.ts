/** The webhooks and applications of a deleted user are deleted, or go to the successor. */
import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { continueRecoveries } from "../../src/delivery/webhooks/recover.ts";
import { type Actor, startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { askToken, newClient, type TestClient } from "../support/oauth.ts";

async function world() {
  const app = await startApp();
  const company = await app.company();
  const user = await company.user({ rights: ["webhooks.manage"] });
  const successor = await company.user({ rights: ["webhooks.manage"] });
  const remove = async (who: Actor, assignTo?: Actor) => {
    const query = assignTo ? `?assign_to=${assignTo.id}` : "";
    const path = `/v1/companies/${company.id}/users/${who.id}${query}`;
    assert.equal((await company.admin.call("DELETE", path)).status, 204);
    await app.idle();
  };
  const ask = ({ client_id, client_secret }: TestClient) =>
    askToken(app, {
      grant_type: "client_credentials",
      client_id,
      client_secret,
    });
  const trusted = await company.token(company.admin.id, true);
  const rotate = async (client: TestClient) =>
    (await app.call(
      trusted,
      "POST",
      `/v1/applications/${client.client_id}/secret`,
    )).body;
  return {
    app,
    company,
    admin: company.admin,
    user,
    successor,
    remove,
    ask,
    trusted,
    rotate,
  };
}

Deno.test("without assign_to the webhooks and applications of a deleted user are deleted", async () => {
  const { app, admin, user, remove, ask } = await world();
  await using _ = app;
  const hook = { target_url: "http://127.0.0.1:9/", webhook_event: "*" };
  const { body } = await user.call("POST", "/v1/webhooks", hook);
  const client = await newClient(app, false, user);
  await remove(user);
  assert.equal(
    (await admin.call("GET", `/v1/webhooks/${body.id}`)).status,
    404,
  );
  assert.equal((await ask(client)).status, 401);
});

Deno.test("a webhook of assign_to is paused until the new owner resumes it, and recovers missed events", async () => {
  const { app, admin, user, successor, remove } = await world();
  await using _ = app;
  const target = startTarget();
  try {
    const hook = { target_url: target.url, webhook_event: "team_created" };
    const { id } = (await user.call("POST", "/v1/webhooks", hook)).body;
    await admin.call("POST", "/v1/teams", { name: "Before" });
    await app.idle();
    assert.equal(target.received.length, 1);
    await remove(user, successor);
    const { body } = await successor.call("GET", `/v1/webhooks/${id}`);
    assert.deepEqual([body.user_id, body.paused, body.inherited_at], [
      successor.id,
      true,
      "2026-03-02 09:00:00",
    ]);
    app.clock.move(1_000);
    await admin.call("POST", "/v1/teams", { name: "Since" });
    await app.idle();
    assert.equal(
      target.received.length,
      1,
      "the former user's target gets nothing more",
    );
    assert.equal(
      (await successor.call("PUT", `/v1/webhooks/${id}`, { paused: false })).body
        .paused,
      false,
    );
    const recovered = await successor.call("POST", `/v1/webhooks/${id}/recover`, {
      since: "2026-03-02 09:00:00",
    });
    assert.deepEqual(recovered.body, { queued: 1 });
    await app.idle();
    assert.equal(target.received.length, 2);
  } finally {
    await target.close();
  }
});

Deno.test("an application of assign_to has no valid secret until it is rotated, and then acts for the new owner", async () => {
  const { app, user, successor, remove, ask, rotate, trusted } = await world();
  await using _ = app;
  const client = await newClient(app, false, user);
  const { client_secret: second } = await rotate(client);
  const [first, token] = [
    await ask(client),
    (await ask({ ...client, client_secret: second })).body.access_token,
  ];
  assert.equal(first.status, 200, "after a rotation the old one works on");
  await remove(user, successor);
  const statuses = async () => [
    (await ask(client)).status,
    (await ask({ ...client, client_secret: second })).status,
    (await ask({ ...client, client_secret: "" })).status,
  ];
  const [one, two, none] = await statuses();
  assert.deepEqual([one, two], [401, 401]);
  assert.ok(none === 400 || none === 401);
  assert.equal(
    (await app.call(token, "GET", "/v1/me")).status,
    401,
    "its tokens end",
  );
  const path = `/v1/applications/${client.client_id}`;
  assert.equal((await app.call(trusted, "GET", path)).body.client_secret, null);
  const { client_secret: third } = await rotate(client);
  const asked = await ask({ ...client, client_secret: third });
  assert.equal(
    (await app.call(asked.body.access_token, "GET", "/v1/me")).body.id,
    successor.id,
  );
  assert.deepEqual(
    (await statuses()).slice(0, 2),
    [401, 401],
    "no old secret works beside it",
  );
  assert.equal(
    (await app.call(trusted, "GET", path)).body.client_secret,
    `••••${third.slice(-4)}`,
  );
});

Deno.test("the successor is notified once of webhooks and of applications, and of nothing without them", async () => {
  const { app, admin, user, successor, remove } = await world();
  await using _ = app;
  for (const port of [9, 10]) {
    const hook = {
      target_url: `http://127.0.0.1:${port}/`,
      webhook_event: "*",
    };
    await user.call("POST", "/v1/webhooks", hook);
  }
  await remove(user, successor);
  const { data } = (await successor.call("GET", "/v1/notifications")).body;
  const messages = data.map((
    { type, message }: { type: string; message: string },
  ) => `${type}: ${message}`);
  assert.deepEqual(messages.sort(), [
    "handed_over: You now own 1 application of Ada Byron user. Each needs a new secret before it works again.",
    "handed_over: You now own 2 webhooks of Ada Byron user. Each is paused: check target and token, then resume it " +
    "and recover what it missed.",
  ]);
  assert.equal(data[0].data.user.id, admin.id);
  await app.deps.db.write([{
    sql: "update applications set user_id = null where user_id = ?",
    args: [successor.id],
  }]);
  await app.deps.db.write([{
    sql: "update webhooks set deleted_at = created_at",
    args: [],
  }]);
  const before = (await admin.call("GET", "/v1/notifications")).body.pagination.total;
  await remove(successor, admin);
  assert.equal(
    (await admin.call("GET", "/v1/notifications")).body.pagination.total,
    before,
  );
});

Deno.test("events that waited for the webhook of a deleted user are not sent to a successor who may not see them", async () => {
  const { app, company, admin, successor, remove } = await world();
  await using _ = app;
  const target = startTarget();
  try {
    const user = await company.user({
      rights: ["webhooks.manage"],
      teams: [await company.team()],
    });
    const hook = {
      target_url: "http://127.0.0.1:9/",
      webhook_event: "account_created",
    };
    const { id } = (await user.call("POST", "/v1/webhooks", hook)).body;
    const account = {
      b2c: false,
      fixed_fields: [{ name: "name", value: "Secret Ltd" }],
    };
    const made = await user.call("POST", "/v1/accounts", account);
    assert.equal(made.status, 201, made.text);
    await app.idle();
    await remove(user, successor);
    assert.equal(
      (await successor.call("GET", `/v1/accounts/${made.body.id}`)).status,
      404,
    );
    const change = { target_url: target.url, paused: false };
    assert.equal(
      (await successor.call("PUT", `/v1/webhooks/${id}`, change)).status,
      200,
    );
    app.clock.move(3_600_000);
    await deliverDue(app.deps);
    assert.deepEqual(target.received, []);
    const since = "2026-03-02 08:00:00";
    const path = `/v1/webhooks/${id}/recover`;
    assert.deepEqual((await successor.call("POST", path, { since })).body, {
      queued: 0,
    });
    // An admin sees it, and may have it sent.
    assert.deepEqual((await admin.call("POST", path, { since })).body, {
      queued: 1,
    });
    await app.idle();
    assert.equal(target.received.length, 1);
  } finally {
    await target.close();
  }
});

Deno.test("a recovery that the deleted user began does not continue for the successor", async () => {
  const { app, company, admin, user, successor, remove } = await world();
  await using _ = app;
  const target = startTarget();
  try {
    const hook = { target_url: target.url, webhook_event: "team_created" };
    const { id } = (await user.call("POST", "/v1/webhooks", hook)).body;
    assert.equal(
      (await user.call("PUT", `/v1/webhooks/${id}`, { paused: true })).status,
      200,
    );
    await admin.call("POST", "/v1/teams", { name: "Missed" });
    // The state that a process leaves when it ends after its first step.
    await app.deps.db.write([{
      sql:
        "insert into recoveries (company_id, webhook_id, after_at, after_id, until) values (?, ?, '', '', ?)",
      args: [company.id, id, "2026-03-03 00:00:00"],
    }]);
    await remove(user, successor);
    assert.equal(
      (await successor.call("PUT", `/v1/webhooks/${id}`, { paused: false })).status,
      200,
    );
    assert.equal(await continueRecoveries(app.deps, app.clock.now()), 0);
    await app.idle();
    assert.deepEqual(target.received, []);
  } finally {
    await target.close();
  }
});

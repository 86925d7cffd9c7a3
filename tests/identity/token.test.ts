import assert from "node:assert/strict";
import { sha256 } from "../../src/platform/crypto.ts";
import { send, startApp } from "../support/app.ts";
import { askToken, makeBasicHeader, newClient, withPassword } from "../support/oauth.ts";

const form = { "Content-Type": "application/x-www-form-urlencoded" };

Deno.test("client credentials give a token of three minutes, without a refresh token, for the client's user", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, false, admin);
  const { status, body, headers } = await askToken(app, { grant_type: "client_credentials", ...client });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in"]);
  assert.deepEqual([body.token_type, body.expires_in], ["Bearer", 180]);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).body.id, admin.id);
  app.clock.move(179_000);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 200);
  app.clock.move(1_000);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 401);
});

Deno.test("grant type and client may be in the query, in JSON, in a form, or in HTTP Basic", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, false, admin);
  const { client_id, client_secret } = client;
  const encoded = new URLSearchParams({ ...client, grant_type: "client_credentials" }).toString();
  const basicHeader = makeBasicHeader(client_id, client_secret);
  const ways: [string, unknown, Record<string, string>][] = [
    ["?grant_type=client_credentials", client, {}],
    ["?grant_type=client_credentials", { ...client, grant_type: "password" }, {}],
    ["", { ...client, grant_type: "client_credentials" }, {
      "Content-Type": "application/json; charset=utf-8",
    }],
    ["", encoded, form],
    ["", "grant_type=client_credentials", { ...form, ...basicHeader }],
    ["", `grant_type=client_credentials&client_id=${client_id}`, { ...form, ...basicHeader }],
    ["?grant_type=client_credentials", undefined, basicHeader],
  ];
  for (const [query, body, headers] of ways) {
    const reply = await send(`${app.url}/auth/token${query}`, "POST", null, body, headers);
    assert.equal(reply.status, 200, `${query} ${reply.text}`);
  }
});

Deno.test("HTTP Basic is accepted with its parts form-encoded, and as they are", async () => {
  const secret = "a+b/c=%41 ü-0123456789";
  await using app = await startApp({ BOOTSTRAP_CLIENT_ID: "ops+crm", BOOTSTRAP_CLIENT_SECRET: secret });
  const { ensureBootstrapClient } = await import("../../src/identity/applications/bootstrap.ts");
  await ensureBootstrapClient(app.deps);
  const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
  for (const [id, given] of [["ops+crm", secret], ["ops%2Bcrm", encodeURIComponent(secret)]]) {
    const reply = await askToken(
      app,
      { grant_type: "client_credentials" },
      makeBasicHeader(id!, bytes(given!)),
    );
    assert.equal(reply.status, 200, reply.text);
  }
});

Deno.test("refusals follow RFC 6749, and are not cached", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true, admin);
  const general = await newClient(app, false, admin);
  const wrong = { ...client, client_secret: "wrong" };
  const grant_type = "client_credentials";
  const cases: [unknown, Record<string, string>, number, string][] = [
    [client, {}, 400, "invalid_request"],
    [{ ...client, grant_type: "magic" }, {}, 400, "unsupported_grant_type"],
    [{ ...client, grant_type: 7 }, {}, 400, "invalid_request"],
    [{ grant_type }, {}, 401, "invalid_client"],
    [{ ...wrong, grant_type }, {}, 401, "invalid_client"],
    [{ ...client, client_id: "unknown", grant_type }, {}, 401, "invalid_client"],
    [{ ...client, client_id: 7, grant_type }, {}, 400, "invalid_request"],
    [{ grant_type }, { Authorization: "Basic ?" }, 401, "invalid_client"],
    [
      { grant_type, ...client },
      makeBasicHeader(client.client_id, client.client_secret),
      400,
      "invalid_request",
    ],
    [
      { grant_type, client_id: "other" },
      makeBasicHeader(client.client_id, client.client_secret),
      400,
      "invalid_request",
    ],
    [{ ...client, grant_type: "password", username: "x" }, {}, 400, "invalid_request"],
    [{ ...client, grant_type: "refresh_token" }, {}, 400, "invalid_request"],
    [{ ...client, grant_type: "refresh_token", refresh_token: "x" }, {}, 400, "invalid_grant"],
    [{ ...general, grant_type: "password", username: "x", password: "y" }, {}, 400, "unauthorized_client"],
    ["{", {}, 400, "invalid_request"],
    ["[]", {}, 400, "invalid_request"],
    [JSON.stringify({ ...client, client_id: "\0", grant_type }), {}, 400, "invalid_request"],
    ["grant_type=client_credentials&grant_type=password", form, 400, "invalid_request"],
    ["<x/>", { "Content-Type": "text/xml" }, 415, "invalid_request"],
    [`{"x":"${"x".repeat(1024 * 1024)}"}`, {}, 413, "invalid_request"],
  ];
  for (const [body, headers, status, error] of cases) {
    const reply = await askToken(app, body, headers);
    const shown = `${JSON.stringify(body).slice(0, 100)} ${reply.text}`;
    assert.equal(reply.status, status, shown);
    assert.equal(reply.body.error, error, shown);
    assert.ok(reply.body.error_description.length > 0);
    assert.equal(reply.headers.get("cache-control"), "no-store");
    assert.equal(reply.headers.has("www-authenticate"), status === 401);
  }
  assert.deepEqual(
    await app.sql("select count(*) as n from access_tokens where expires_at < 4000000000000"),
    [{ n: 0 }],
  );
});

Deno.test("other methods are 405 and name the allowed one", async () => {
  await using app = await startApp();
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
    const reply = await send(`${app.url}/auth/token`, method, null);
    assert.deepEqual([reply.status, reply.headers.get("allow")], [405, "POST"], method);
  }
});

Deno.test("answers have the request id and security headers, and the log never has a secret", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const client = await newClient(app, false, admin);
  const reply = await askToken(app, { grant_type: "client_credentials", ...client }, {
    "X-Request-Id": "mine-1",
  });
  assert.equal(reply.headers.get("x-request-id"), "mine-1");
  assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
  assert.equal(reply.headers.get("access-control-allow-origin"), null);
  const line = app.log.entries.find((entry) => entry.request_id === "mine-1");
  assert.deepEqual(
    [line?.route, line?.method, line?.status, line?.company_id, line?.user_id],
    ["/auth/token", "POST", 200, id, admin.id],
  );
  const text = JSON.stringify(app.log.entries);
  assert.ok(!text.includes(client.client_secret) && !text.includes(reply.body.access_token));
});

Deno.test("a password gives an access token of an hour and a refresh token, for the address in any case", async () => {
  await using app = await startApp();
  const { user } = await app.company();
  const ada = await user();
  const client = await newClient(app, true);
  const username = (await withPassword(app, ada, "correct horse")).toUpperCase();
  const { status, body } = await askToken(app, {
    grant_type: "password",
    ...client,
    username,
    password: "correct horse",
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "refresh_token"]);
  assert.equal(body.expires_in, 3600);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).body.id, ada.id);
});

Deno.test("an unknown address and a wrong password get the same answer in similar time", async () => {
  await using app = await startApp();
  const { admin, user } = await app.company();
  const passwordless = await user();
  const client = await newClient(app, true);
  const known = await withPassword(app, admin, "correct horse", { asServed: true });
  const [{ email }] = await app.sql("select email from users where id = ?", passwordless.id) as [
    { email: string },
  ];
  const ask = (username: string) =>
    askToken(app, { grant_type: "password", ...client, username, password: "wrong horse" });
  const fastest = new Map([known, "nobody@example.org", email].map((username) => [username, Infinity]));
  const texts = new Set<string>();
  // Hashing takes tens of milliseconds, other work about one. A busy machine gets more attempts.
  const alike = () => Math.min(...fastest.values()) > Math.max(...fastest.values()) / 4;
  for (let turn = 0; turn < 9 && (turn < 2 || !alike()); turn++) {
    for (const [username, before] of fastest) {
      const started = performance.now();
      const reply = await ask(username);
      fastest.set(username, Math.min(before, performance.now() - started));
      assert.equal(reply.status, 400);
      texts.add(reply.text);
    }
  }
  assert.equal(texts.size, 1);
  assert.ok(alike(), [...fastest.values()].join(" "));
});

Deno.test("a deleted user, and a user of a deleted company, cannot sign in", async () => {
  await using app = await startApp();
  const { admin, user, id } = await app.company();
  const client = await newClient(app, true);
  const ada = await user();
  const ask = (username: string) =>
    askToken(app, { grant_type: "password", ...client, username, password: "correct horse" });
  const gone = await withPassword(app, ada, "correct horse");
  const other = await withPassword(app, admin, "correct horse");
  await app.deps.db.write([{ sql: "update users set deleted_at = created_at where id = ?", args: [ada.id] }]);
  assert.equal((await ask(gone)).body.error, "invalid_grant");
  assert.equal((await ask(other)).status, 200);
  await app.deps.db.write([{ sql: "update companies set deleted_at = created_at where id = ?", args: [id] }]);
  assert.equal((await ask(other)).body.error, "invalid_grant");
});

Deno.test("a client whose user is deleted gets no token", async () => {
  await using app = await startApp();
  const { user } = await app.company();
  const ada = await user();
  const client = await newClient(app, false, ada);
  await app.deps.db.write([{ sql: "update users set deleted_at = created_at where id = ?", args: [ada.id] }]);
  const reply = await askToken(app, { grant_type: "client_credentials", ...client });
  assert.deepEqual([reply.status, reply.body.error], [400, "unauthorized_client"]);
});

Deno.test("after a rotation of the client's secret the old one works until its time is over", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, false, admin);
  const until = app.clock.now() + 60_000;
  await app.deps.db.write([{
    sql:
      "update applications set previous_secret_hash = secret_hash, previous_secret_until = ?, secret_hash = ?",
    args: [until, sha256("the new one")],
  }]);
  const ask = async (client_secret: string) =>
    (await askToken(app, { grant_type: "client_credentials", client_id: client.client_id, client_secret }))
      .status;
  assert.deepEqual([await ask(client.client_secret), await ask("the new one")], [200, 200]);
  app.clock.set(until);
  assert.deepEqual([await ask(client.client_secret), await ask("the new one")], [401, 200]);
});

Deno.test("tokens have 256 bits, and only their SHA-256 is stored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const username = await withPassword(app, admin, "correct horse");
  const { body } = await askToken(app, {
    grant_type: "password",
    ...client,
    username,
    password: "correct horse",
  });
  for (
    const [table, token] of [["access_tokens", body.access_token], ["refresh_tokens", body.refresh_token]]
  ) {
    assert.match(token, /^[\w-]{43}$/);
    const [row] = await app.sql(`select * from ${table} where hash = ?`, sha256(token));
    assert.ok(row && !JSON.stringify(row).includes(token));
  }
  const [row] = await app.sql("select secret_hash from applications where client_id = ?", client.client_id);
  assert.equal(row?.secret_hash, sha256(client.client_secret));
});

import assert from "node:assert/strict";
import { CallLimit } from "../../src/http/call_limit.ts";
import { startApp } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { sendFrom } from "../support/peers.ts";

Deno.test("beyond RATE_LIMIT a client is answered 429 until its window ends, and others are not", async () => {
  await using app = await startApp({ RATE_LIMIT: "3/60" });
  const { admin, user } = await app.company();
  const other = await user();
  for (const left of [2, 1, 0]) {
    const reply = await admin.call("GET", "/v1/me");
    assert.deepEqual([reply.status, reply.headers.get("ratelimit")], [200, `"calls";r=${left};t=60`]);
    assert.equal(reply.headers.get("ratelimit-policy"), '"calls";q=3;w=60');
  }
  app.clock.move(20_500);
  const limited = await admin.call("GET", "/v1/me");
  assert.deepEqual([limited.status, limited.body.code], [429, "rate_limited"]);
  assert.equal(limited.headers.get("content-type"), "application/problem+json; charset=utf-8");
  assert.equal(limited.headers.get("retry-after"), "40");
  assert.equal(limited.headers.get("ratelimit"), '"calls";r=0;t=40');
  assert.equal((await admin.call("POST", "/v1/teams", { name: "North" })).status, 429);
  assert.equal((await other.call("GET", "/v1/me")).status, 200);
  app.clock.move(39_500);
  assert.equal((await admin.call("GET", "/v1/me")).status, 200);
});

Deno.test("the limit is reported with those of the endpoint, on refusals too", async () => {
  await using app = await startApp({ RATE_LIMIT: "3/60" });
  const { admin } = await app.company();
  const reply = await admin.call("POST", "/v1/device-activation", { code: 1 });
  assert.equal(reply.status, 422);
  assert.equal(reply.headers.get("ratelimit"), '"device-code";r=9;t=600, "calls";r=2;t=60');
  assert.equal(reply.headers.get("ratelimit-policy"), '"device-code";q=10;w=600, "calls";q=3;w=60');
  const missing = await admin.call("GET", "/v1/accounts/01939c5e-7d3a-7c3f-8a55-0a4be5a1a001");
  assert.deepEqual([missing.status, missing.headers.get("ratelimit")], [404, '"calls";r=1;t=60']);
});

Deno.test("callers without a valid token are limited by address, separately from clients", async () => {
  await using app = await startApp({ RATE_LIMIT: "2/60" });
  const { admin } = await app.company();
  const from = (peer: string, token: string | null) =>
    sendFrom(peer, `${app.url}/v1/me`, "GET", undefined, token ? { Authorization: `Bearer ${token}` } : {});
  assert.equal((await from("127.0.0.1", null)).status, 401);
  assert.equal((await from("127.0.0.1", "wrong")).status, 401);
  const limited = await from("127.0.0.1", null);
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "60"]);
  assert.equal((await from("127.0.0.2", null)).status, 401);
  assert.equal((await from("127.0.0.1", admin.token)).status, 200);
});

Deno.test("dead download tokens, links and addresses of pictures are limited by address, live ones are not", async () => {
  await using app = await startApp({ RATE_LIMIT: "3/60" });
  const { admin } = await app.company();
  const file = await admin.call("POST", "/v1/files", { name: "a.txt", data: "YQ==" });
  const from = (peer: string, path: string) => sendFrom(peer, app.url + path, "GET", undefined, {});
  const dead = ["/v1/files/download/none", "/files/none", `/v1/files/${file.body.id}/public`];
  for (const path of dead) assert.equal((await from("127.0.0.1", path)).status, 404);
  const limited = await from("127.0.0.1", "/pictures/none");
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "60"]);
  assert.equal((await from("127.0.0.2", dead[0]!)).status, 404);
  for (let n = 0; n < 4; n++) {
    assert.equal((await from("127.0.0.1", `/v1/files/download/${file.body.download_token}`)).status, 303);
  }
});

Deno.test("the token endpoint counts by client if the secret is right, else by address", async () => {
  await using app = await startApp({ RATE_LIMIT: "2/60" });
  const client = await newClient(app, true);
  const ask = (client_secret: string) =>
    askToken(app, { grant_type: "client_credentials", ...client, client_secret });
  for (let n = 0; n < 2; n++) assert.equal((await ask("wrong")).status, 401);
  const stranger = await ask("wrong");
  assert.deepEqual([stranger.status, stranger.body.error], [429, "temporarily_unavailable"]);
  assert.equal(stranger.headers.get("retry-after"), "60");
  const { body: { access_token } } = await ask(client.client_secret);
  const mine = await ask(client.client_secret);
  assert.equal(mine.headers.get("ratelimit"), '"client-secret";r=7;t=600, "calls";r=0;t=60');
  assert.equal((await ask(client.client_secret)).status, 429);
  assert.equal((await app.call(access_token, "GET", "/v1/me")).status, 429);
});

Deno.test("health and readiness have no rate limit", async () => {
  await using app = await startApp({ RATE_LIMIT: "1/60" });
  for (let n = 0; n < 3; n++) {
    for (const path of ["/health", "/ready"]) assert.equal((await app.call(null, "GET", path)).status, 200);
  }
});

Deno.test("without RATE_LIMIT nothing is counted or reported", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  assert.equal(app.deps.callLimit, null);
  for (let n = 0; n < 20; n++) {
    const { status, headers } = await admin.call("GET", "/v1/me");
    assert.deepEqual([status, headers.has("ratelimit"), headers.has("ratelimit-policy")], [
      200,
      false,
      false,
    ]);
  }
});

Deno.test("a limit stores a bounded number of callers and forgets ended windows", () => {
  const limit = new CallLimit(1, 60);
  const take = (caller: string, now: number) => limit.stranger(caller, now, new Map());
  for (let n = 0; n < 50_100; n++) take(`old ${n}`, n);
  assert.equal(limit.size, 50_000);
  assert.notEqual(take("old 50099", 50_100), null);
  take("new", 200_000);
  assert.equal(limit.size, 1);
});

Deno.test("a clock that is set back locks no caller out", () => {
  const limit = new CallLimit(1, 60);
  const take = (now: number) => limit.stranger("here", now, new Map());
  assert.equal(take(10_000_000), null);
  assert.notEqual(take(10_000_000), null);
  assert.equal(take(0), null);
});

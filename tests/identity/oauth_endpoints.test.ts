/** Requirements of RFC 6749, 6750, 7009 and 8628 for all OAuth endpoints. */
import assert from "node:assert/strict";
import { type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { askToken, makeBasicHeader, newClient, type TestClient } from "../support/oauth.ts";

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const paths = ["/auth/token", "/auth/device_authorization", "/auth/revoke"];

async function makeTrusted(app: TestApp) {
  const { admin } = await app.company();
  const client = await newClient(app, true, admin);
  const post = (
    path: string,
    fields: Record<string, string> | string,
    headers: Record<string, string> = {},
  ) =>
    send(
      app.url + path,
      "POST",
      null,
      typeof fields === "string" ? fields : `${new URLSearchParams(fields)}`,
      { ...form, ...headers },
    );
  return { admin, client, post };
}

/** A request that succeeds at each endpoint. */
const good = (client: TestClient) => ({ ...client, grant_type: "client_credentials", token: "x" });

Deno.test("answers are not cached: successes, refusals and malformed requests", async (t) => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  for (const path of paths) {
    await t.step(path, async () => {
      const wrong = { ...good(client), client_secret: "wrong" };
      const replies: [number, Reply][] = [
        [200, await post(path, good(client))],
        [400, await post(path, `${new URLSearchParams(good(client))}&client_id=x`)],
        [401, await post(path, wrong)],
        [413, await post(path, { ...good(client), x: "x".repeat(1_100_000) })],
        [415, await post(path, good(client), { "Content-Type": "text/plain" })],
      ];
      for (const [status, { status: answered, headers }] of replies) {
        assert.equal(answered, status);
        assert.deepEqual([headers.get("cache-control"), headers.get("pragma")], ["no-store", "no-cache"]);
      }
    });
  }
});

Deno.test("a body of 64 KiB is read, a larger one is 413 invalid_request", async (t) => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  const limit = 64 * 1024;
  for (const path of paths) {
    for (const type of ["application/x-www-form-urlencoded", "application/json"]) {
      await t.step(`${type} to ${path}`, async () => {
        const body = (more: number) => {
          const fields = { ...good(client), x: "x".repeat(more) };
          return type.endsWith("json") ? JSON.stringify(fields) : `${new URLSearchParams(fields)}`;
        };
        const full = limit - body(0).length;
        const [read, refused] = [
          await post(path, body(full), { "Content-Type": type }),
          await post(path, body(full + 1), { "Content-Type": type }),
        ];
        assert.equal(read.status, 200, read.text);
        assert.deepEqual([refused.status, refused.body.error], [413, "invalid_request"]);
      });
    }
  }
});

Deno.test("an unknown, wrong or missing client is 401 invalid_client with a challenge", async (t) => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  const { client_id, client_secret } = client;
  const asked = { grant_type: "client_credentials", token: "x" };
  const ways: Record<string, [Record<string, string>, Record<string, string>]> = {
    "nothing at all": [asked, {}],
    "an id alone": [{ ...asked, client_id }, {}],
    "an empty secret": [{ ...asked, client_id, client_secret: "" }, {}],
    "a wrong secret": [{ ...asked, client_id, client_secret: `${client_secret}x` }, {}],
    "an unknown id": [{ ...asked, client_id: "nobody", client_secret }, {}],
    "a wrong secret by Basic": [asked, makeBasicHeader(client_id, "wrong")],
    "Basic that is not base64": [asked, { Authorization: "Basic ?" }],
    "Basic without a colon": [asked, { Authorization: `Basic ${btoa(client_id)}` }],
    "another scheme": [asked, { Authorization: `Bearer ${client_secret}` }],
  };
  for (const path of paths) {
    for (const [way, [fields, headers]] of Object.entries(ways)) {
      await t.step(`${path}: ${way}`, async () => {
        const reply = await post(path, fields, headers);
        assert.deepEqual([reply.status, reply.body.error], [401, "invalid_client"]);
        assert.match(reply.headers.get("www-authenticate")!, /^Basic realm="/);
      });
    }
  }
});

Deno.test("credentials both by Basic and in the body are refused", async (t) => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  for (const path of paths) {
    await t.step(path, async () => {
      const both = await post(path, good(client), makeBasicHeader(client.client_id, client.client_secret));
      assert.deepEqual([both.status, both.body.error], [400, "invalid_request"]);
      const { client_secret: _, ...rest } = good(client);
      const other = await post(
        path,
        { ...rest, client_id: "other" },
        makeBasicHeader(client.client_id, client.client_secret),
      );
      assert.deepEqual([other.status, other.body.error], [400, "invalid_request"]);
      const named = await post(path, rest, makeBasicHeader(client.client_id, client.client_secret));
      assert.equal(named.status, 200, named.text);
    });
  }
});

Deno.test("a repeated parameter is refused, in a form and as grant_type in the query", async () => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  for (const path of paths) {
    for (const name of ["client_id", "client_secret", "unknown"]) {
      const reply = await post(path, `${new URLSearchParams(good(client))}&${name}=x&${name}=x`);
      assert.deepEqual([reply.status, reply.body.error], [400, "invalid_request"], `${path} ${name}`);
    }
  }
  const twice = "grant_type=client_credentials&grant_type=client_credentials";
  assert.equal((await post(`/auth/token?${twice}`, good(client))).body.error, "invalid_request");
});

Deno.test("an empty parameter counts as absent", async () => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  const { client_secret: _, ...rest } = good(client);
  const header = makeBasicHeader(client.client_id, client.client_secret);
  assert.equal((await post("/auth/token", { ...rest, client_secret: "" }, header)).status, 200);
  assert.equal(
    (await post("/auth/token", { ...good(client), grant_type: "" })).body.error,
    "invalid_request",
  );
  const started = await askToken(app, { ...client, grant_type: "device_code", device_code: "" });
  assert.ok(started.body.user_code, started.text);
});

Deno.test("credentials in the query do not count, and GET is refused", async () => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  const query = new URLSearchParams(good(client));
  for (const path of paths) {
    const got = await send(`${app.url}${path}?${query}`, "GET", null);
    assert.deepEqual([got.status, got.headers.get("allow")], [405, "POST"], path);
    const posted = await post(`${path}?${query}`, { token: "x" });
    assert.deepEqual([posted.status, posted.body.error], [401, "invalid_client"], path);
  }
  assert.deepEqual(await app.sql("select count(*) as n from device_codes"), [{ n: 0 }]);
});

Deno.test("HEAD, OPTIONS and other methods are 405, and there are no CORS headers", async () => {
  await using app = await startApp();
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"]) {
      const headers = { Origin: "https://evil.example.org", "Access-Control-Request-Method": "POST" };
      const reply = await send(app.url + path, method, null, undefined, headers);
      assert.deepEqual([reply.status, reply.headers.get("allow")], [405, "POST"], `${method} ${path}`);
      const cors = [...reply.headers.keys()].filter((name) => name.startsWith("access-control-"));
      assert.deepEqual(cors, [], `${method} ${path}`);
    }
  }
});

Deno.test("a scope is ignored, and tokens name none", async () => {
  await using app = await startApp();
  const { admin, client, post } = await makeTrusted(app);
  const reply = await post("/auth/token", {
    ...good(client),
    scope: "read openid",
    audience: "x",
    magic: "y",
  });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(Object.keys(reply.body), ["access_token", "token_type", "expires_in"]);
  assert.equal((await app.call(reply.body.access_token, "GET", "/v1/me")).body.id, admin.id);
  const { body } = await app.call(null, "GET", "/.well-known/oauth-authorization-server");
  assert.equal("scopes_supported" in body, false);
});

Deno.test("a bearer token counts in its header only, not in a query, a form or a cookie", async () => {
  await using app = await startApp();
  const { admin } = await makeTrusted(app);
  const { token } = admin;
  const inHeader = await send(`${app.url}/v1/me`, "GET", token);
  assert.equal(inHeader.status, 200);
  const elsewhere = [
    await send(`${app.url}/v1/me?access_token=${token}`, "GET", null),
    await send(`${app.url}/v1/groups`, "POST", null, `access_token=${token}`, form),
    await send(`${app.url}/v1/groups`, "POST", null, { access_token: token, name: "x" }),
    await send(`${app.url}/v1/me`, "GET", null, undefined, {
      Cookie: `access_token=${token}; session=${token}`,
    }),
  ];
  for (const { status, headers } of elsewhere) {
    assert.deepEqual([status, headers.get("www-authenticate")], [401, "Bearer"]);
  }
});

Deno.test("errors have a code and a description of printable characters, and nothing else", async () => {
  await using app = await startApp();
  const { client, post } = await makeTrusted(app);
  const odd = 'x"\\\u00e9\r\n<script>';
  const replies = [
    await post("/auth/token", { ...good(client), grant_type: odd }),
    await post("/auth/token", { ...good(client), client_id: odd }),
    await post(
      "/auth/token",
      `${new URLSearchParams(good(client))}&${encodeURIComponent(odd)}=1&${encodeURIComponent(odd)}=2`,
    ),
    await post("/auth/token", { ...client, grant_type: "refresh_token", refresh_token: odd }),
    await post("/auth/token", { ...client, grant_type: "authorization_code", code: odd, redirect_uri: odd }),
  ];
  for (const { status, body } of replies) {
    assert.ok(status === 400 || status === 401);
    assert.deepEqual(Object.keys(body), ["error", "error_description"]);
    assert.match(body.error, /^[a-z_]+$/);
    assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  }
});

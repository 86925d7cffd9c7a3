/** Failures are counted, and too many of them block further attempts for a while. */
import assert from "node:assert/strict";
import { makeQueuedPasswords } from "../../src/platform/passwords.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { askToken, makeBasicHeader, newClient, type TestClient, withPassword } from "../support/oauth.ts";
import { sendFrom } from "../support/peers.ts";
import { startProcess } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";

const right = "correct horse";
const here = "127.0.0.1";
const elsewhere = "127.0.0.2";

interface World {
  readonly username: string;
  readonly client: TestClient;
  /** Requests a token by password, from an address of this machine. */
  ask(password: string, from?: string, username?: string): ReturnType<typeof sendFrom>;
}

async function world(app: TestApp): Promise<World> {
  const { admin } = await app.company();
  const username = await withPassword(app, admin, right);
  const client = await newClient(app, true);
  return {
    username,
    client,
    ask: (password, from = here, name = username) =>
      sendFrom(from, `${app.url}/auth/token`, "POST", {
        grant_type: "password",
        ...client,
        username: name,
        password,
      }),
  };
}

Deno.test("after ten wrong passwords of an account from an address in ten minutes the right one is refused there too", async () => {
  await using app = await startApp();
  const { ask } = await world(app);
  for (let n = 1; n <= 10; n++) {
    const reply = await ask("wrong");
    assert.deepEqual([reply.status, reply.body.error], [400, "invalid_grant"]);
    assert.equal(reply.headers.get("ratelimit"), `"client-secret";r=10;t=600, "password";r=${10 - n};t=600`);
  }
  app.clock.move(60_000);
  const limited = await ask(right);
  assert.deepEqual([limited.status, limited.body.error], [429, "temporarily_unavailable"]);
  assert.equal(limited.headers.get("retry-after"), "540");
  assert.match(limited.headers.get("ratelimit")!, /"password";r=0;t=540/);
  assert.equal(
    limited.headers.get("ratelimit-policy"),
    '"client-secret";q=10;w=600, "password";q=10;w=600, "account";q=100;w=3600',
  );
  app.clock.move(539_999);
  assert.equal((await ask(right)).status, 429);
  app.clock.move(1);
  assert.equal((await ask(right)).status, 200);
});

Deno.test("failures counted while the clock was ahead limit nobody once it is right", async () => {
  await using app = await startApp();
  const { ask } = await world(app);
  app.clock.move(86_400_000);
  for (let n = 1; n <= 10; n++) await ask("wrong");
  assert.equal((await ask(right)).status, 429);
  app.clock.move(-86_400_000);
  const wrong = await ask("wrong");
  assert.match(wrong.headers.get("ratelimit")!, /"password";r=9;t=600/, "the count starts again");
  assert.equal((await ask(right)).status, 200);
});

Deno.test("a limit at one address does not apply at another, and a success resets no count", async () => {
  await using app = await startApp();
  const { ask } = await world(app);
  for (let n = 0; n < 9; n++) await ask("wrong");
  for (let n = 0; n < 2; n++) assert.equal((await ask(right, elsewhere)).status, 200);
  assert.equal((await ask(right)).status, 200);
  assert.equal((await ask("wrong")).status, 400);
  assert.equal((await ask(right)).status, 429);
  assert.equal((await ask(right, elsewhere)).status, 200);
});

Deno.test("an unknown account is limited like a known one, with the same answers", async () => {
  await using app = await startApp();
  const { ask, username } = await world(app);
  const readReported = async (name: string) => {
    const reported: unknown[] = [];
    for (const password of [...Array(11).fill("wrong"), right]) {
      const { status, text, headers } = await ask(password, here, name);
      const shown = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
      reported.push([status, text, shown]);
    }
    return reported;
  };
  assert.deepEqual(await readReported("nobody@example.org"), await readReported(username));
});

Deno.test("the keys of counts are stored as hashes that cannot be tried without the secrets key", async () => {
  const keysBy = async (key: number) => {
    await using app = await startApp({ SECRETS_KEY: new Uint8Array(32).fill(key).toBase64() });
    const { ask } = await world(app);
    assert.equal((await ask("wrong", here, "a password in the wrong field")).status, 400);
    return (await app.sql("select key from attempts order by key")).map((row) => row.key);
  };
  const [one, same, other] = [await keysBy(1), await keysBy(1), await keysBy(2)];
  assert.equal(one.length, 2);
  assert.deepEqual(one, same);
  assert.ok(other.every((key) => !one.includes(key)));
});

Deno.test("an account has one count in any case of its letters, shared with the sign-in page", async () => {
  await using app = await startApp();
  const { ask, username } = await world(app);
  for (let n = 0; n < 5; n++) await ask("wrong", here, username.toUpperCase());
  const browser = new Browser(app.url);
  const form = await browser.get("/auth/sign-in");
  const signIn = (password: string) => browser.submit(form, "/auth/sign-in", { email: username, password });
  for (let n = 0; n < 5; n++) {
    const page = await signIn("wrong");
    assert.equal(page.status, 422);
    assert.equal(page.headers.get("ratelimit"), `"password";r=${4 - n};t=600`);
  }
  const page = await signIn(right);
  assert.equal(page.status, 429);
  assert.match(page.headers.get("content-type")!, /^text\/html/);
  assert.match(page.text, /<h1>Too many attempts<\/h1>/);
  assert.equal(page.headers.get("retry-after"), "600");
  assert.equal(page.headers.get("ratelimit-policy"), '"password";q=10;w=600, "account";q=100;w=3600');
  assert.equal((await ask(right)).status, 429);
  app.clock.move(600_000);
  const through = await signIn(right);
  assert.deepEqual([through.status, through.headers.get("ratelimit")], [303, '"password";r=10;t=600']);
});

Deno.test("of many concurrent wrong passwords ten are checked, and the right one among them is refused", async () => {
  // The queue has room for all of the concurrent calls.
  await using app = await startApp({}, { passwords: makeQueuedPasswords({ atOnce: 2, waiting: 40 }) });
  const { ask } = await world(app);
  const replies = await Promise.all(Array.from({ length: 40 }, () => ask("wrong")));
  assert.equal(replies.filter(({ status }) => status === 400).length, 10);
  assert.equal(replies.filter(({ status }) => status === 429).length, 30);
  assert.equal((await ask(right)).status, 429);
  const [count] = await app.sql("select max(failures) as most, count(*) as n from attempts");
  // Attempts that are refused without a check do not count, so that one address cannot block an account for
  // others.
  assert.deepEqual(count, { most: 10, n: 2 });
});

Deno.test("after a hundred wrong passwords in an hour an account is blocked everywhere for the rest of it", async () => {
  await using app = await startApp();
  const { ask, username } = await world(app);
  assert.equal((await ask("wrong", "127.0.0.3")).status, 400);
  await app.deps.db.write([{
    sql: "update attempts set failures = 99 where until = ?",
    args: [hourFrom(app)],
  }]);
  assert.equal((await ask(right)).status, 200);
  assert.equal((await ask("wrong", here, username.toUpperCase())).status, 400);
  const limited = await ask(right, elsewhere);
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "3600"]);
  assert.match(limited.headers.get("ratelimit")!, /"password";r=10;t=600, "account";r=0;t=3600/);
  const browser = new Browser(app.url);
  const page = await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-in", {
    email: username,
    password: right,
  });
  assert.equal(page.status, 429);
  app.clock.move(3_600_000);
  assert.equal((await ask(right)).status, 200);
});

Deno.test("ten wrong secrets of a client from an address in ten minutes block every grant there, also by Basic", async () => {
  await using app = await startApp();
  const { client } = await world(app);
  const wrong = { client_id: client.client_id, client_secret: "wrong" };
  const post = (path: string, body: object, from = here, headers = {}) =>
    sendFrom(from, app.url + path, "POST", body, headers);
  const tries = [
    () => post("/auth/token", { grant_type: "client_credentials", ...wrong }),
    () => post("/auth/token", { grant_type: "password", username: "a", password: "b", ...wrong }),
    () => post("/auth/token", { grant_type: "refresh_token", refresh_token: "x", ...wrong }),
    () => post("/auth/token", { grant_type: "authorization_code", code: "x", redirect_uri: "y", ...wrong }),
    () => post("/auth/token", { grant_type: "device_code", ...wrong }),
    () =>
      post(
        "/auth/token",
        { grant_type: "client_credentials" },
        here,
        makeBasicHeader(client.client_id, "wrong"),
      ),
    () => post("/auth/revoke", { token: "x", ...wrong }),
    () => post("/auth/revoke", { token: "x" }, here, makeBasicHeader(client.client_id, "wrong")),
    () => post("/auth/device_authorization", wrong),
    () => post("/auth/device_authorization", {}, here, makeBasicHeader(client.client_id, "wrong")),
  ];
  for (const [n, attempt] of tries.entries()) {
    const { status, headers, body } = await attempt();
    assert.deepEqual([status, body.error], [401, "invalid_client"], String(n));
    assert.equal(headers.get("ratelimit"), `"client-secret";r=${9 - n};t=600`);
    assert.equal(headers.get("ratelimit-policy")!.split(", ")[0], '"client-secret";q=10;w=600');
  }
  const asks: [string, object][] = [
    ["/auth/token", { grant_type: "client_credentials" }],
    ["/auth/revoke", { token: "x" }],
    ["/auth/device_authorization", {}],
  ];
  for (const [path, body] of asks) {
    for (
      const limited of [
        await post(path, { ...body, ...client }),
        await post(path, body, here, makeBasicHeader(client.client_id, client.client_secret)),
      ]
    ) {
      assert.deepEqual([limited.status, limited.body.error], [429, "temporarily_unavailable"], path);
      assert.equal(limited.headers.get("retry-after"), "600");
      assert.equal(limited.headers.get("cache-control"), "no-store");
    }
    assert.equal((await post(path, { ...body, ...client }, elsewhere)).status, 200, path);
  }
  app.clock.move(600_000);
  const reply = await post("/auth/token", { grant_type: "client_credentials", ...client });
  assert.deepEqual([reply.status, reply.headers.get("ratelimit")], [200, '"client-secret";r=10;t=600']);
});

Deno.test("of many concurrent wrong secrets ten are checked, and the right one after them is refused", async () => {
  await using app = await startApp();
  const { client } = await world(app);
  const secrets = [...Array(59).fill("wrong"), client.client_secret];
  const replies = await Promise.all(
    secrets.map((client_secret) =>
      askToken(app, { grant_type: "client_credentials", client_id: client.client_id, client_secret })
    ),
  );
  assert.equal(replies.filter(({ status }) => status === 401).length, 10);
  assert.equal(replies.at(-1)!.status, 429);
});

Deno.test("unknown clients share one count for each address, so that invented names fill no table", async () => {
  await using app = await startApp();
  const { client } = await world(app);
  for (let n = 0; n < 14; n++) {
    const made = { client_id: `made-up-${n}`, client_secret: "x" };
    const reply = await askToken(app, { grant_type: "client_credentials", ...made });
    assert.equal(reply.status, n < 10 ? 401 : 429);
  }
  const [row] = await app.sql("select key, (select count(*) from attempts) as n from attempts");
  assert.equal(row!.n, 1);
  assert.match(String(row!.key), /^[0-9a-f]{64}$/);
  assert.equal((await askToken(app, { grant_type: "client_credentials", ...client })).status, 200);
});

Deno.test("ten wrong old passwords from an address in ten minutes block password changes there", async () => {
  await using app = await startApp();
  const change = await changing(app);
  for (let n = 1; n <= 10; n++) {
    const reply = await change("wrong");
    assert.deepEqual([reply.status, reply.body.errors[0].path], [422, "old_password"]);
    assert.equal(reply.headers.get("ratelimit"), `"password";r=${10 - n};t=600`);
  }
  const limited = await change(right);
  assert.deepEqual([limited.status, limited.body.code], [429, "rate_limited"]);
  assert.equal(limited.headers.get("retry-after"), "600");
  assert.equal(limited.headers.get("ratelimit-policy"), '"password";q=10;w=600, "account";q=100;w=3600');
  const exposed = limited.headers.get("access-control-expose-headers")!.split(", ");
  assert.ok(["RateLimit", "RateLimit-Policy", "Retry-After"].every((name) => exposed.includes(name)));
  const through = await change(right, elsewhere);
  assert.deepEqual([through.status, through.headers.get("ratelimit")], [200, '"password";r=10;t=600']);
});

Deno.test("of many concurrent wrong old passwords ten are checked", async () => {
  await using app = await startApp();
  const change = await changing(app);
  const replies = await Promise.all(Array.from({ length: 30 }, () => change("wrong")));
  assert.equal(replies.filter(({ status }) => status === 422).length, 10);
  assert.equal(replies.filter(({ status }) => status === 429).length, 20);
});

Deno.test("a hundred wrong old passwords in an hour block password changes everywhere", async () => {
  await using app = await startApp();
  const change = await changing(app);
  await change("wrong");
  await app.deps.db.write([{
    sql: "update attempts set failures = 100 where until = ?",
    args: [hourFrom(app)],
  }]);
  const limited = await change(right, elsewhere);
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "3600"]);
});

Deno.test("two processes on one database share counts", async () => {
  await using app = await startApp();
  const { username, client } = await world(app);
  const env = {
    DATABASE_URL: `file:${app.file}`,
    NOW: String(app.clock.now()),
    LOG_LEVEL: "error",
  };
  const start = () => startProcess(programArguments("tests/sweep/server.ts"), env);
  const servers = await Promise.all([start(), start()]);
  try {
    const ask = (n: number, password: string) =>
      sendFrom(here, `${servers[n % 2]!.url}/auth/token`, "POST", {
        grant_type: "password",
        ...client,
        username,
        password,
      });
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n, "wrong")));
    const judged = replies.map(({ status }, n) => ({ status, n })).filter(({ status }) => status === 400);
    assert.equal(judged.length, 10, replies.map(({ status }) => status).join(" "));
    for (const n of [0, 1]) assert.equal((await ask(n, right)).status, 429);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
});

for (const trusted of [true, false]) {
  const rule = trusted ? "counts by the address that it puts last" : "counts for nothing";
  Deno.test(`X-Forwarded-For of a proxy that is ${trusted ? "" : "not "}trusted ${rule}, and what was there before is no way out`, async () => {
    await using app = await startApp({ TRUST_PROXY: String(trusted) });
    const { client } = await world(app);
    const ask = (secret: string, forwarded: string) =>
      askToken(app, { grant_type: "client_credentials", ...client, client_secret: secret }, {
        "X-Forwarded-For": forwarded,
      });
    for (let n = 0; n < 10; n++) {
      assert.equal(
        (await ask("wrong", trusted ? `198.51.100.${n}, 192.0.2.1` : `198.51.100.${n}`)).status,
        401,
      );
    }
    assert.equal((await ask(client.client_secret, "192.0.2.1")).status, 429);
    assert.equal((await ask(client.client_secret, "192.0.2.2")).status, trusted ? 200 : 429);
    assert.equal((await ask(client.client_secret, "192.0.2.1, garbage")).status, trusted ? 200 : 429);
  });
}

/** Changes the password of a new admin. */
async function changing(app: TestApp) {
  const { admin, token } = await app.company();
  await withPassword(app, admin, right);
  const headers = { Authorization: `Bearer ${await token(admin.id)}` };
  const url = `${app.url}/v1/companies/${admin.companyId}/users/${admin.id}/password`;
  return (old_password: string, from = here) =>
    sendFrom(from, url, "PUT", { old_password, new_password: "new horse 22" }, headers);
}

function hourFrom(app: TestApp): number {
  return app.clock.now() + 3_600_000;
}

/** One-time codes and counts hold over several processes on one database. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { codeFor, redirect_uri, shop } from "../support/consent.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";
import { readTogether, twoOf } from "../support/race.ts";

const server = "tests/sweep/server.ts";

/** Makes the call a hundred times at once, to two processes in turn. */
async function hundred(app: TestApp, call: (url: string) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  await twoOf(server, app, async (urls) => {
    replies.push(...await Promise.all(Array.from({ length: 100 }, (_, n) => call(urls[n % 2]!))));
  });
  return replies;
}

const token = (url: string, body: object) => send(`${url}/auth/token`, "POST", null, body);
const errorsOf = (replies: readonly Reply[]) =>
  Object.entries(Object.groupBy(replies, ({ status, body }) => body?.error ?? body?.code ?? `${status}`))
    .map(([error, those]) => [error, those!.length]);
const works = async (app: TestApp, bearer: string) =>
  (await app.call(bearer, "GET", "/v1/me")).status === 200;

Deno.test("of a hundred concurrent redemptions of a code, over two processes, one succeeds, and its tokens end", async () => {
  await using app = await startApp();
  const { client, email } = await shop(app);
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  const redemption = { grant_type: "authorization_code", ...client, redirect_uri, code };
  const replies = await hundred(app, (url) => token(url, redemption));
  const won = replies.filter(({ status }) => status === 200);
  assert.equal(won.length, 1, JSON.stringify(errorsOf(replies)));
  assert.ok(replies.filter(({ body }) => body.error === "invalid_grant").length >= 98);
  assert.equal(await works(app, won[0]!.body.access_token), false);
  assert.deepEqual(await app.sql("select count(*) as n from refresh_tokens"), [{ n: 0 }]);
});

Deno.test("of a hundred concurrent uses of a refresh token, over two processes, one succeeds, and the family ends", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const username = await withPassword(app, admin, "correct horse");
  const sign = { grant_type: "password", ...client, username, password: "correct horse" };
  const { body: { access_token, refresh_token } } = await askToken(app, sign);
  const replies = await hundred(
    app,
    (url) => token(url, { grant_type: "refresh_token", ...client, refresh_token }),
  );
  const won = replies.filter(({ status }) => status === 200);
  assert.equal(won.length, 1, JSON.stringify(errorsOf(replies)));
  assert.deepEqual([await works(app, access_token), await works(app, won[0]!.body.access_token)], [
    false,
    false,
  ]);
  assert.deepEqual(await app.sql("select count(*) as n from refresh_tokens"), [{ n: 0 }]);
});

Deno.test("of a hundred concurrent polls, over two processes, one gets the tokens of an allowed device", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const started = await askToken(app, { grant_type: "device_code", ...client });
  const { device_code, user_code } = started.body;
  const activated = await admin.call("POST", "/v1/device-activation", { code: user_code });
  assert.equal(activated.status, 204);
  app.clock.move(5000);
  const replies = await hundred(
    app,
    (url) => token(url, { grant_type: "device_code", ...client, device_code }),
  );
  const won = replies.filter(({ status }) => status === 200);
  assert.equal(won.length, 1, JSON.stringify(errorsOf(replies)));
  assert.equal(await works(app, won[0]!.body.access_token), true);
  assert.deepEqual(errorsOf(replies.filter(({ status }) => status !== 200)), [["invalid_grant", 99]]);
});

Deno.test("of two polls that have both seen the device allowed, one gets the tokens", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const { body: { device_code, user_code } } = await askToken(app, { grant_type: "device_code", ...client });
  assert.equal((await admin.call("POST", "/v1/device-activation", { code: user_code })).status, 204);
  app.clock.move(5000);
  const together = createApp({ ...app.deps, db: readTogether(app.deps.db, 2) });
  const replies = await Promise.all([1, 2].map(() =>
    together.fetch(
      new Request("http://localhost/auth/token", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ grant_type: "device_code", ...client, device_code }),
      }),
    )
  ));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
  assert.deepEqual(await app.sql("select count(*) as n from refresh_tokens"), [{ n: 1 }]);
});

Deno.test("of a hundred concurrent polls of a waiting device, over two processes, one gets authorization_pending", async () => {
  await using app = await startApp();
  const client = await newClient(app, true);
  const { body: { device_code } } = await askToken(app, { grant_type: "device_code", ...client });
  app.clock.move(5000);
  const replies = await hundred(
    app,
    (url) => token(url, { grant_type: "device_code", ...client, device_code }),
  );
  const reported = Object.fromEntries(errorsOf(replies));
  assert.equal(reported.authorization_pending, 1, JSON.stringify(reported));
  assert.deepEqual(Object.keys(reported).sort(), ["authorization_pending", "slow_down"]);
});

Deno.test("of a hundred concurrent guesses at user codes, over two processes, ten are checked, and the right one after them is refused", async () => {
  await using app = await startApp();
  const company = await app.company();
  const waiting = await company.deviceCode(500);
  let guess = 10_000_000;
  await twoOf(server, app, async (urls) => {
    const activate = (code: number, n: number) =>
      send(`${urls[n % 2]}/v1/device-activation`, "POST", company.admin.token, { code });
    const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => activate(guess++, n)));
    const looked = replies.filter(({ status }) => status === 422).length;
    assert.deepEqual([looked, replies.filter(({ status }) => status === 429).length], [10, 90]);
    for (const n of [0, 1]) {
      const { status, headers, body } = await activate(waiting, n);
      assert.deepEqual([status, body.code, headers.get("retry-after")], [429, "rate_limited", "600"]);
    }
  });
  assert.deepEqual(await app.sql("select user_id from device_codes"), [{ user_id: null }]);
});

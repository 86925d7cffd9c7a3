/** One-time codes and counts hold over several processes on one database. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { codeFor, openConsentShop, redirect_uri } from "../support/consent.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";
import { readTogether, withTwoProcesses } from "../support/race.ts";

const token = (url: string, body: object) => send(`${url}/auth/token`, "POST", null, body);
const countErrors = (replies: readonly Reply[]) =>
  Object.entries(Object.groupBy(replies, ({ status, body }) => body?.error ?? body?.code ?? `${status}`))
    .map(([error, those]) => [error, those!.length]);
const works = async (app: TestApp, bearer: string) =>
  (await app.call(bearer, "GET", "/v1/me")).status === 200;

Deno.test("codes and tokens hold over two processes", async (t) => {
  await using app = await startApp();
  // Their clocks are later than the app's by the interval at which a device may poll.
  await withTwoProcesses("tests/sweep/server.ts", app, async (urls) => {
    const callHundredTimes = (call: (url: string) => Promise<Reply>) =>
      Promise.all(Array.from({ length: 100 }, (_, n) => call(urls[n % 2]!)));
    await t.step(
      "of a hundred concurrent redemptions of a code, one succeeds, and its tokens end",
      async () => {
        const { client, email } = await openConsentShop(app);
        const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
        const redemption = { grant_type: "authorization_code", ...client, redirect_uri, code };
        const replies = await callHundredTimes((url) => token(url, redemption));
        const won = replies.filter(({ status }) => status === 200);
        assert.equal(won.length, 1, JSON.stringify(countErrors(replies)));
        assert.ok(replies.filter(({ body }) => body.error === "invalid_grant").length >= 98);
        assert.equal(await works(app, won[0]!.body.access_token), false);
        assert.deepEqual(await app.sql("select count(*) as n from refresh_tokens"), [{ n: 0 }]);
      },
    );

    await t.step(
      "of a hundred concurrent uses of a refresh token, at most three succeed, and the family ends",
      async () => {
        const { admin } = await app.company();
        const client = await newClient(app, true);
        const username = await withPassword(app, admin, "correct horse");
        const sign = { grant_type: "password", ...client, username, password: "correct horse" };
        const { body: { access_token, refresh_token } } = await askToken(app, sign);
        const replies = await callHundredTimes(
          (url) => token(url, { grant_type: "refresh_token", ...client, refresh_token }),
        );
        const won = replies.filter(({ status }) => status === 200);
        assert.ok(won.length >= 1 && won.length <= 3, JSON.stringify(countErrors(replies)));
        for (const token of [access_token, ...won.map(({ body }) => body.access_token)]) {
          assert.equal(await works(app, token), false);
        }
        assert.deepEqual(await app.sql("select count(*) as n from refresh_tokens"), [{ n: 0 }]);
      },
    );

    await t.step("of a hundred concurrent polls, one gets the tokens of an allowed device", async () => {
      const { admin } = await app.company();
      const client = await newClient(app, true);
      const started = await askToken(app, { grant_type: "device_code", ...client });
      const { device_code, user_code } = started.body;
      const activated = await admin.call("POST", "/v1/device-activation", { code: user_code });
      assert.equal(activated.status, 204);
      const replies = await callHundredTimes(
        (url) => token(url, { grant_type: "device_code", ...client, device_code }),
      );
      const won = replies.filter(({ status }) => status === 200);
      assert.equal(won.length, 1, JSON.stringify(countErrors(replies)));
      assert.equal(await works(app, won[0]!.body.access_token), true);
      assert.deepEqual(countErrors(replies.filter(({ status }) => status !== 200)), [["invalid_grant", 99]]);
    });

    await t.step(
      "of a hundred concurrent polls of a waiting device, one gets authorization_pending",
      async () => {
        const client = await newClient(app, true);
        const { body: { device_code } } = await askToken(app, { grant_type: "device_code", ...client });
        const replies = await callHundredTimes(
          (url) => token(url, { grant_type: "device_code", ...client, device_code }),
        );
        const reported = Object.fromEntries(countErrors(replies));
        assert.equal(reported.authorization_pending, 1, JSON.stringify(reported));
        assert.deepEqual(Object.keys(reported).sort(), ["authorization_pending", "slow_down"]);
      },
    );

    await t.step(
      "of a hundred concurrent guesses at user codes, ten are checked, and the right one after them is refused",
      async () => {
        const company = await app.company();
        const waiting = await company.deviceCode(500);
        let guess = 10_000_000;
        const activate = (code: number, n: number) =>
          send(`${urls[n % 2]}/v1/device-activation`, "POST", company.admin.token, { code });
        const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => activate(guess++, n)));
        const looked = replies.filter(({ status }) => status === 422).length;
        assert.deepEqual([looked, replies.filter(({ status }) => status === 429).length], [10, 90]);
        for (const n of [0, 1]) {
          const { status, headers, body } = await activate(waiting, n);
          assert.deepEqual([status, body.code, headers.get("retry-after")], [429, "rate_limited", "600"]);
        }
        const activated = "select 1 from device_codes where user_id = ?";
        assert.deepEqual(await app.sql(activated, company.admin.id), []);
      },
    );
  }, 5_000);
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

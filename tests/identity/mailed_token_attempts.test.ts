/** Tokens in mails cannot be guessed, and nobody can be flooded with such mails. */
import assert from "node:assert/strict";
import { type Reply, startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { withPassword } from "../support/oauth.ts";
import { sendFrom } from "../support/peers.ts";
import { invite, makePerson } from "./invited.ts";

const here = "127.0.0.1";
const elsewhere = "127.0.0.2";

/** By kind: a request with a token, the right token, and its answer. */
const kinds = {
  "invite-token": async (app: TestApp) => {
    const company = await app.company();
    const { token } = await invite(company, { email: makePerson().email });
    return { path: `/v1/companies/${company.id}/users/`, body: makePerson(), token, done: 201 };
  },
  "reset-token": async (app: TestApp) => {
    const { admin } = await app.company();
    const email = await withPassword(app, admin, "old horse battery");
    const client = await app.trustedClient();
    await app.call(client, "POST", "/v1/reset-password", { email });
    await app.idle();
    const token = /token=([\w-]{43})$/m.exec(app.mailer.sent.at(-1)!.text)![1]!;
    return { path: "/v1/reset-password/verify/", body: { password: "new horse battery" }, token, done: 200 };
  },
};

for (const [kind, prepare] of Object.entries(kinds)) {
  Deno.test(`after ten wrong tokens (${kind}) of a client from an address in ten minutes the right one is refused there`, async () => {
    await using app = await startApp();
    const { path, body, token, done } = await prepare(app);
    const [client, other] = [await app.trustedClient(), await app.trustedClient()];
    const use = (token: string, from = here, bearer = client): Promise<Reply> =>
      sendFrom(from, app.url + path + token, "POST", body, { Authorization: `Bearer ${bearer}` });
    for (let n = 1; n <= 10; n++) {
      const reply = await use(`wrong${n}`);
      assert.equal(reply.status, 404);
      assert.equal(reply.headers.get("ratelimit"), `"${kind}";r=${10 - n};t=600`);
      assert.equal(reply.headers.get("ratelimit-policy"), `"${kind}";q=10;w=600`);
    }
    app.clock.move(1_000);
    const limited = await use(token);
    assert.deepEqual([limited.status, limited.body.code], [429, "rate_limited"]);
    assert.deepEqual(
      [limited.headers.get("retry-after"), limited.headers.get("ratelimit")],
      ["599", `"${kind}";r=0;t=599`],
    );
    assert.equal((await use("wrong", here, other)).status, 404);
    assert.equal((await use("wrong", elsewhere)).status, 404);
    app.clock.move(599_000);
    const through = await use(token);
    assert.deepEqual([through.status, through.headers.get("ratelimit")], [done, `"${kind}";r=10;t=600`]);
  });

  Deno.test(`of many concurrent wrong tokens (${kind}) ten are checked, and the right one among them is refused`, async () => {
    await using app = await startApp();
    const { path, body, token } = await prepare(app);
    const client = await app.trustedClient();
    const tokens = [...Array.from({ length: 40 }, (_, n) => `wrong${n}`), token];
    const replies = await Promise.all(tokens.map((token) => app.call(client, "POST", path + token, body)));
    assert.equal(replies.filter(({ status }) => status === 404).length, 10);
    assert.equal(replies.at(-1)!.status, 429);
  });
}

/** By kind: the page that its mail links to, and its form fields. */
const pages = {
  "invite-token": {
    page: "/auth/invitation",
    form: { first_name: "A", last_name: "B", password: "battery staple" },
  },
  "reset-token": { page: "/auth/reset-password", form: { password: "battery staple" } },
};

for (const [kind, { page, form }] of Object.entries(pages)) {
  Deno.test(`after ten wrong links (${kind}) from an address in ten minutes the right one is a 429 page`, async () => {
    await using app = await startApp();
    const { token } = await kinds[kind as keyof typeof kinds](app);
    const browser = new Browser(app.url);
    const shown = await browser.get(`${page}?token=${token}`);
    assert.equal(shown.headers.get("ratelimit-policy"), `"${kind}";q=10;w=600`);
    const follow = () => browser.get(`${page}?token=wrong`);
    const send = (link?: string) => browser.submit(shown, page, { ...form, ...(link ? { link } : {}) });
    for (let n = 1; n <= 10; n++) {
      const { status, headers } = n % 2 ? await follow() : await send("wrong");
      assert.deepEqual([status, headers.get("ratelimit")], [404, `"${kind}";r=${10 - n};t=600`]);
    }
    for (const refused of [await send(), await browser.get(`${page}?token=${token}`)]) {
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "600"]);
      assert.match(refused.text, /<h1>Too many attempts<\/h1>/);
    }
    app.clock.move(600_000);
    assert.ok((await send()).status < 400);
  });

  Deno.test(`the document states the limit of links (${kind}) at their page`, async () => {
    await using app = await startApp();
    const { body } = await app.call(null, "GET", "/openapi.json");
    const { get, post } = body.paths[page];
    for (const { responses } of [get, post]) {
      assert.deepEqual(Object.keys(responses["429"].headers).sort(), [
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "X-Request-Id",
      ]);
    }
  });
}

Deno.test("an address gets five reset mails an hour, and then none, without a sign of it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const email = await withPassword(app, admin, "old horse battery");
  const client = await app.trustedClient();
  const ask = async (address: string) => {
    const { status, text, headers } = await app.call(client, "POST", "/v1/reset-password", {
      email: address,
    });
    await app.idle();
    return [status, text, headers.get("ratelimit"), headers.get("ratelimit-policy")];
  };
  const nobody = await ask("nobody@example.org");
  assert.deepEqual(nobody, [204, "", null, null]);
  for (let n = 1; n <= 7; n++) {
    assert.deepEqual(await ask(n % 2 ? email : email.toUpperCase()), nobody);
    assert.equal(app.mailer.sent.length, Math.min(n, 5));
  }
  app.clock.move(3_600_000);
  await ask(email);
  assert.equal(app.mailer.sent.length, 6);
});

Deno.test("of many concurrent requests for one address five send a mail", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const email = await withPassword(app, admin, "old horse battery");
  const client = await app.trustedClient();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => app.call(client, "POST", "/v1/reset-password", { email })),
  );
  await app.idle();
  assert.ok(replies.every(({ status }) => status === 204), replies.map(({ status }) => status).join(" "));
  assert.equal(app.mailer.sent.length, 5);
});

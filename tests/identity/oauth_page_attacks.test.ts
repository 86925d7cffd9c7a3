/** Attacks on people through the pages: forged forms, planted cookies, frames and open redirects. */
import assert from "node:assert/strict";
import { type Body, send, startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { authorizePath, openConsentShop, password, signIn } from "../support/consent.ts";
import { withPassword } from "../support/oauth.ts";

interface Served {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** Every page and form of the service, by its document. */
async function listPages(app: TestApp): Promise<{ pages: Served[]; forms: Served[] }> {
  const { body } = await app.call(null, "GET", "/openapi.json");
  const pages: Served[] = [];
  const forms: Served[] = [];
  for (const [path, item] of Object.entries<Body>(body.paths)) {
    if (!path.startsWith("/auth/")) continue;
    const at = path.replaceAll(/\{\w+\}/g, "x");
    const answers = Object.values<Body>(item.get?.responses ?? {});
    if (answers.some((answer) => answer.content?.["text/html"])) pages.push({ method: "GET", path: at });
    const content = item.post?.requestBody?.content;
    if (content && !content["application/json"]) forms.push({ method: "POST", path: at });
  }
  return { pages, forms };
}

const tokenIn = (text: string) => /name="token" value="([^"]*)"/.exec(text)![1]!;

Deno.test("forms are refused without a token, with that of another session, and without a cookie", async (t) => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const path = authorizePath(client.client_id);
  const early = new Browser(app.url);
  const earlyToken = tokenIn((await early.get("/auth/sign-in")).text);
  const somebody = async () => {
    const browser = new Browser(app.url);
    return { browser, token: tokenIn((await signIn(browser, path, email)).text) };
  };
  const other = await somebody();
  const fields = { email, password, decision: "allow", code: "10000001", next: path };
  const { forms } = await listPages(app);
  assert.ok(forms.length >= 4);
  for (const { path: action } of forms) {
    await t.step(action, async () => {
      const { browser, token } = await somebody();
      const before = await effects(app);
      const refused = [
        await browser.post(action, fields),
        await browser.post(action, { ...fields, token: "" }),
        await browser.post(action, { ...fields, token: other.token }),
        await browser.post(action, { ...fields, token: earlyToken }),
        await browser.post(action, { ...fields, token: token.slice(0, -2) }),
        await new Browser(app.url).post(action, { ...fields, token }),
        await early.post(action, { ...fields, token }),
      ];
      assert.deepEqual(refused.map(({ status }) => status), Array(refused.length).fill(403));
      assert.deepEqual(await effects(app), before);
      assert.notEqual((await browser.post(action, { ...fields, token })).status, 403);
    });
  }
});

/** The rows that a forged form could have changed. */
function effects(app: TestApp) {
  return app.sql(
    "select (select group_concat(hash) from sessions) as sessions, " +
      "(select count(*) from authorization_codes) as codes, (select count(*) from attempts) as attempts, " +
      "(select group_concat(version) from users) as users",
  );
}

Deno.test("pages and refusals cannot be framed, send no referrer, are not cached, and load nothing external", async (t) => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const signedIn = new Browser(app.url);
  await signIn(signedIn, authorizePath(client.client_id), email);
  const { pages, forms } = await listPages(app);
  assert.ok(pages.length >= 4);
  for (const { method, path } of [...pages, ...forms]) {
    await t.step(`${method} ${path}`, async () => {
      for (const browser of [new Browser(app.url), signedIn]) {
        const { headers, text } = method === "GET" ? await browser.get(path) : await browser.post(path, {});
        assert.match(headers.get("content-security-policy")!, /frame-ancestors 'none'/);
        assert.equal(headers.get("x-frame-options"), "DENY");
        assert.equal(headers.get("referrer-policy"), "no-referrer");
        assert.equal(headers.get("cache-control"), "no-store");
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        assert.equal(headers.get("access-control-allow-origin"), null);
        assert.doesNotMatch(text, /(?:src|href|action)="(?:https?:)?\/\//);
      }
    });
  }
});

Deno.test("HEAD at a page answers like GET, without the page, and changes nothing", async () => {
  await using app = await startApp();
  const { pages } = await listPages(app);
  for (const { path } of pages) {
    const [got, head] = [await send(app.url + path, "GET", null), await send(app.url + path, "HEAD", null)];
    assert.deepEqual([head.status, head.text], [got.status, ""], path);
    assert.equal(head.headers.get("content-type"), got.headers.get("content-type"));
  }
  assert.deepEqual(await app.sql("select count(*) as n from sessions"), [{ n: 0 }]);
});

const waysOut = [
  "https://evil.example.org/",
  "//evil.example.org/",
  "///evil.example.org/",
  "\\\\evil.example.org",
  "/\\evil.example.org",
  "/\t/evil.example.org",
  "https:evil.example.org",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "%2f%2fevil.example.org",
  "/%2fevil.example.org",
  "/auth/%2e%2e/%2e%2e//evil.example.org",
  "/auth/..//evil.example.org",
  "/auth//evil.example.org",
  "/auth/@evil.example.org",
  "/auth/?x\r\nLocation: https://evil.example.org",
  "/auth/device?x#\nhttps://evil.example.org",
  " /auth/",
  "/authx",
  "/v1/me",
  "/auth/sign-out",
];

Deno.test("signing in, signing out and consent lead only to our pages and registered addresses", async (t) => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  for (const next of waysOut) {
    await t.step(JSON.stringify(next), async () => {
      const browser = new Browser(app.url);
      const asked = `/auth/sign-in?${new URLSearchParams({ next, return: next, redirect: next })}`;
      const form = await browser.get(asked);
      assert.ok(!form.text.includes("evil"));
      const signed = await browser.submit(form, "/auth/sign-in", { email, password, next });
      assert.deepEqual([signed.status, signed.headers.get("location")], [303, "/app"]);
      const page = await browser.get(authorizePath(client.client_id));
      const consented = await browser.submit(page, "/auth/consent", { decision: "allow", next });
      assert.deepEqual([consented.status, consented.headers.get("location")], [400, null]);
      const out = await browser.submit(page, "/auth/sign-out", { next });
      assert.deepEqual([out.status, out.headers.get("location")], [303, "/app"]);
    });
  }
});

Deno.test("a wrong request redirects nobody who is not signed in, or belongs to another company", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const outsider = await withPassword(app, (await app.company()).admin, password);
  const path = authorizePath(client.client_id, { response_type: "wrong" });
  const stranger = new Browser(app.url);
  const form = await stranger.get(path);
  assert.deepEqual([form.status, form.headers.get("location")], [200, null]);
  const sent = await stranger.post("/auth/consent", { token: tokenIn(form.text), next: path });
  assert.deepEqual([sent.status, sent.headers.get("location")], [303, path]);
  const other = new Browser(app.url);
  const refused = await signIn(other, path, outsider);
  assert.deepEqual([refused.status, refused.headers.get("location")], [403, null]);
  const posted = await other.post("/auth/consent", { token: tokenIn(refused.text), next: path });
  assert.deepEqual([posted.status, posted.headers.get("location")], [403, null]);
  const reported = await signIn(stranger, path, email);
  assert.match(
    reported.headers.get("location")!,
    /^https:\/\/shop\.example\.org\/back\?.*error=unsupported_response_type/,
  );
});

Deno.test("signing in ends the old session and sets another cookie", async () => {
  await using app = await startApp();
  const { email } = await openConsentShop(app);
  const browser = new Browser(app.url);
  const planted = "p".repeat(43);
  browser.cookies.set("session", planted);
  const form = await browser.get("/auth/sign-in");
  const post = async () => {
    await browser.submit(form, "/auth/sign-in", { email, password, token: await readToken(browser) });
    return browser.cookies.get("session")!;
  };
  const readToken = async (one: Browser) => tokenIn((await one.get("/auth/sign-in")).text);
  const first = await post();
  const second = await post();
  assert.equal(new Set([planted, first, second]).size, 3);
  const shows = async (cookie: string) => {
    const one = new Browser(app.url);
    one.cookies.set("session", cookie);
    return (await one.get("/auth/sign-in")).text.includes(email);
  };
  assert.deepEqual([await shows(planted), await shows(first), await shows(second)], [false, false, true]);
});

Deno.test("a link with a device's code allows nothing without a decision on the page", async () => {
  await using app = await startApp();
  const { company, client, email, browser } = await openConsentShop(app);
  await signIn(browser, authorizePath(client.client_id), email);
  const code = await company.deviceCode(7);
  const page = await browser.get(`/auth/device?user_code=${code}&decision=allow&code=${code}`);
  assert.ok(page.text.includes(`value="${code}"`) && page.text.includes('action="/auth/device"'));
  assert.deepEqual(await app.sql("select user_id, denied from device_codes"), [{ user_id: null, denied: 0 }]);
});

Deno.test("texts of links and applications are escaped", async () => {
  await using app = await startApp();
  const { company, client, email, browser } = await openConsentShop(app);
  const markup = '"><script>alert(1)</script><b>';
  const trusted = await company.token(company.admin.id, true);
  await app.call(trusted, "PUT", `/v1/applications/${client.client_id}`, { name: markup });
  const path = authorizePath(client.client_id, { state: markup, login_hint: markup });
  const shown = [
    await browser.get(path),
    await browser.get(`/auth/device?${new URLSearchParams({ user_code: markup })}`),
    await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-in", {
      email: markup,
      password: "x",
    }),
    await browser.get(`/auth/?${new URLSearchParams({ client_id: markup })}`),
    await signIn(browser, path, email),
    await browser.get(`/auth/device?${new URLSearchParams({ user_code: markup })}`),
  ];
  for (const { text } of shown) assert.doesNotMatch(text, /<script|<b>/);
});

Deno.test("at the page, too, an unknown address takes as long as a wrong password", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const known = await withPassword(app, admin, password, { asServed: true });
  const browser = new Browser(app.url);
  const form = await browser.get("/auth/sign-in");
  const fastest: Record<string, number> = { [known]: Infinity, "nobody@example.org": Infinity };
  // Hashing takes tens of milliseconds, other work about one. A busy machine gets more attempts.
  const alike = () => Math.min(...Object.values(fastest)) > Math.max(...Object.values(fastest)) / 4;
  for (let turn = 0; turn < 9 && (turn < 2 || !alike()); turn++) {
    for (const email of Object.keys(fastest)) {
      const started = performance.now();
      const { status } = await browser.submit(form, "/auth/sign-in", { email, password: "wrong horse" });
      fastest[email] = Math.min(fastest[email]!, performance.now() - started);
      assert.equal(status, 422);
    }
  }
  assert.ok(alike(), JSON.stringify(fastest));
});

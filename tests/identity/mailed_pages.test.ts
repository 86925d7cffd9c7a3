import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser, type Shown } from "../support/browser.ts";
import { withPassword } from "../support/oauth.ts";
import { acceptAsGuest, invite, inviteCharles } from "./invited.ts";

const [forgot, reset, join] = ["/auth/forgot-password", "/auth/reset-password", "/auth/invitation"];
const [old, fresh] = ["old horse battery", "new horse battery"];
const charles = { first_name: "Charles", last_name: "Babbage", password: fresh };

async function forgetful(app: TestApp) {
  const company = await app.company();
  const email = await withPassword(app, company.admin, old);
  return { company, email, browser: new Browser(app.url) };
}

/** The path of the link in the last mail. */
async function linkIn(app: TestApp): Promise<string> {
  await app.idle();
  const [, path] = new RegExp(`^${app.url}(/auth/.+)$`, "m").exec(app.mailer.sent.at(-1)!.text)!;
  return path!;
}

/** Opens the sign-in page and follows the link to the page for forgotten passwords. */
async function mailedTo(app: TestApp, browser: Browser, email: string): Promise<Shown> {
  const signIn = await browser.get("/auth/sign-in");
  assert.match(signIn.text, /<a href="\/auth\/forgot-password">/);
  const asked = await browser.submit(await browser.get(forgot), forgot, { email });
  assert.equal(asked.status, 200, asked.text);
  return await browser.get(await linkIn(app));
}

async function signsIn(app: TestApp, email: string, password: string): Promise<boolean> {
  const browser = new Browser(app.url);
  const page = await browser.get("/auth/sign-in");
  return (await browser.submit(page, "/auth/sign-in", { email, password })).status === 303;
}

/** Asserts that the field has a label and its error, and that several errors are listed above. */
function assertFault(page: Shown, name: string, several = false): void {
  assert.equal(page.status, 422, page.text);
  const [input] = new RegExp(`<input id="${name}"[^>]*>`).exec(page.text)!;
  assert.match(input!, /aria-invalid="true"/);
  const described = /aria-describedby="([^"]+)"/.exec(input!)![1]!.split(" ");
  assert.ok(described.includes(`${name}-fault`));
  for (const id of described) assert.match(page.text, new RegExp(`<p id="${id}"[^>]*>[^<]+</p>`));
  assert.match(page.text, new RegExp(`<label for="${name}">[^<]+</label>`));
  if (several) {
    return assert.match(page.text, new RegExp(`role="alert".*<a href="#${name}">[^<]+</a>.*<form`));
  }
  const [, fault] = new RegExp(`<p id="${name}-fault"[^>]*role="alert"[^>]*>([^<]+)</p>`).exec(page.text)!;
  assert.equal(page.text.split(fault!).length, 2, "the error shows once");
}

Deno.test("a person who forgot the password requests a mail, follows its link and signs in with a new one", async () => {
  await using app = await startApp();
  const { browser, email } = await forgetful(app);
  const page = await mailedTo(app, browser, email);
  assert.equal(page.status, 200, page.text);
  assert.ok(page.text.includes(email));
  const done = await browser.submit(page, reset, { password: fresh });
  assert.equal(done.status, 200, done.text);
  assert.match(done.text, /href="\/auth\/sign-in"/);
  assert.deepEqual([await signsIn(app, email, old), await signsIn(app, email, fresh)], [false, true]);
  const again = await browser.submit(page, reset, { password: old });
  assert.equal(again.status, 404);
  assert.match(again.text, /<a class="button" href="\/auth\/forgot-password">/);
});

Deno.test("the page answers the same for an unknown address, and shows an error for an invalid one", async () => {
  await using app = await startApp();
  const { browser, email } = await forgetful(app);
  const page = await browser.get(forgot);
  const known = await browser.submit(page, forgot, { email });
  const unknown = await browser.submit(page, forgot, { email: "nobody@example.org" });
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text]);
  await app.idle();
  assert.equal(app.mailer.sent.length, 1);
  assertFault(await browser.submit(page, forgot, { email: "x@" }), "email");
  assertFault(await browser.submit(page, forgot, { email: "" }), "email");
});

Deno.test("an invited person creates their user at the page and is signed in, with a fresh cookie", async () => {
  await using app = await startApp();
  const company = await app.company("Nordlicht & Söhne <b>");
  const team = await company.team();
  await invite(company, { email: "charles@example.org", team_ids: [team] });
  const browser = new Browser(app.url);
  const page = await browser.get(await linkIn(app));
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /<h1>Join Nordlicht &amp; Söhne &lt;b&gt;<\/h1>/);
  assert.match(page.text, /value="charles@example.org"[^>]*readonly/);
  const before = browser.cookies.get("session");
  const joined = await browser.submit(page, join, { ...charles, email: "other@example.org" });
  assert.equal(joined.status, 303, joined.text);
  assert.notEqual(browser.cookies.get("session"), before);
  assert.equal(joined.headers.get("location"), "/app");
  assert.match((await browser.get("/auth/sign-in")).text, /charles@example\.org/);
  const rows = await app.sql(
    "select u.id, u.first_name, u.company_id, m.team_id from users u join team_members m on m.user_id = u.id",
  );
  assert.deepEqual(rows.map(({ id: _, ...row }) => row), [
    { first_name: "Charles", company_id: company.id, team_id: team },
  ]);
  assert.equal(await signsIn(app, "charles@example.org", fresh), true);
  assert.equal(
    (await browser.submit(page, join, charles)).status,
    403,
    "the form belongs to the session before",
  );
  assert.equal((await browser.get(await linkIn(app))).status, 404);
});

Deno.test("errors show at the field and above the form, valid values stay, and the link still works", async () => {
  await using app = await startApp();
  const { token } = await inviteCharles(app);
  const browser = new Browser(app.url);
  const page = await browser.get(`${join}?token=${token}`);
  const refused = await browser.submit(page, join, { first_name: "<Ada>", last_name: "", password: "short" });
  for (const name of ["last_name", "password"]) assertFault(refused, name, true);
  assert.match(refused.text, /value="&lt;Ada&gt;"/);
  assert.doesNotMatch(refused.text, /value="short"/);
  assertFault(await browser.submit(refused, join, { ...charles, first_name: "x".repeat(256) }), "first_name");
  assertFault(await browser.submit(refused, join, { last_name: "Babbage" }), "password", true);
  assert.equal((await browser.submit(refused, join, charles)).status, 303);

  const { email, browser: other } = await forgetful(app);
  const choosing = await mailedTo(app, other, email);
  const short = await other.submit(choosing, reset, { password: "nine char" });
  assertFault(short, "password");
  assert.equal((await other.submit(short, reset, { password: "ten chars!" })).status, 200);
});

Deno.test("the page shows an error for an address that another user got meanwhile", async () => {
  await using app = await startApp();
  const { token } = await inviteCharles(app);
  const browser = new Browser(app.url);
  const page = await browser.get(`${join}?token=${token}`);
  const other = await app.company("Other");
  const second = await invite(other, { email: "charles@example.org" });
  assert.equal((await acceptAsGuest(app, other.id, second.token)).status, 201);
  assertFault(await browser.submit(page, join, charles), "email");
});

Deno.test("a link that no longer works, and an address without a token, are 404 pages", async () => {
  await using app = await startApp();
  const { token } = await inviteCharles(app);
  const { email, browser } = await forgetful(app);
  const [joining, choosing] = [
    await browser.get(`${join}?token=${token}`),
    await mailedTo(app, browser, email),
  ];
  app.clock.move(24 * 3_600_000);
  assert.equal((await browser.submit(choosing, reset, { password: fresh })).status, 404);
  assert.equal((await browser.get(await linkIn(app))).status, 404);
  app.clock.move(6 * 24 * 3_600_000);
  for (
    const shown of [
      await browser.submit(joining, join, charles),
      await browser.get(`${join}?token=${token}`),
      await browser.get(`${join}?token=%00`),
      await browser.get(join),
      await browser.get(`${reset}?token=x`),
      await browser.get(reset),
    ]
  ) {
    assert.equal(shown.status, 404);
    assert.match(shown.text, /no longer works<\/h1>/);
  }
});

Deno.test("links of a deleted company no longer work", async () => {
  await using app = await startApp();
  const { company, token } = await inviteCharles(app);
  const browser = new Browser(app.url);
  const choosing = await mailedTo(app, browser, await withPassword(app, company.admin, old));
  const boss = await company.user({ type: "admin" });
  assert.equal((await boss.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
  assert.equal((await browser.get(`${join}?token=${token}`)).status, 404);
  assert.equal((await browser.get(await linkIn(app))).status, 404);
  assert.equal((await browser.submit(choosing, reset, { password: fresh })).status, 404);
});

Deno.test("a form without its visitor's token sets no password, creates no user and mails nothing", async () => {
  await using app = await startApp();
  const { token } = await inviteCharles(app);
  const { email, browser } = await forgetful(app);
  const pages = { [join]: await browser.get(`${join}?token=${token}`), [forgot]: await browser.get(forgot) };
  pages[reset] = await mailedTo(app, browser, email);
  const before = app.mailer.sent.length;
  for (const [action, page] of Object.entries(pages)) {
    const fields = { ...charles, email };
    const stranger = new Browser(app.url);
    await stranger.get("/auth/sign-in");
    for (
      const refused of [
        await browser.submit(page, action, { ...fields, token: "" }),
        await stranger.submit(page, action, fields),
      ]
    ) assert.equal(refused.status, 403, action);
  }
  await app.idle();
  assert.equal(app.mailer.sent.length, before);
  assert.equal(await signsIn(app, email, old), true);
  assert.equal((await app.sql("select id from invitations")).length, 1);
});

Deno.test("pages with a token in their address do not pass it on, are not cached, and need no script", async () => {
  await using app = await startApp();
  const { token } = await inviteCharles(app);
  const { email, browser } = await forgetful(app);
  const pages = [
    await browser.get(`${join}?token=${token}`),
    await mailedTo(app, browser, email),
    await browser.get(forgot),
  ];
  for (const { headers, text } of pages) {
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(headers.get("content-security-policy")!, /^default-src 'none'; style-src 'self';/);
    assert.doesNotMatch(text, /<script|style=|<style| on\w+=|https?:/);
    for (const [, id] of text.matchAll(/<input id="(\w+)"/g)) {
      assert.match(text, new RegExp(`<label for="${id}"`));
    }
    assert.match(text, /autocomplete="username"/);
  }
  for (const { text } of pages.slice(0, 2)) assert.match(text, /type="password" autocomplete="new-password"/);
  assert.ok(!JSON.stringify(app.log.entries).includes(token));
});

Deno.test("signing in after a reset leads to the page that the person came for", async () => {
  await using app = await startApp();
  const { browser, email } = await forgetful(app);
  const asked = await browser.get("/app/leads?view=all&search=Ada");
  const signIn = await browser.follow(asked);
  const next = "?next=%2Fapp%2Fleads%3Fview%3Dall%26search%3DAda";
  assert.ok(signIn.text.includes(`<a href="/auth/forgot-password${next}">`), signIn.text);
  const sent = await browser.submit(await browser.get(`${forgot}${next}`), forgot, { email });
  assert.equal(sent.status, 200, sent.text);
  assert.ok(sent.text.includes(`<a href="/auth/sign-in${next}">`), sent.text);
  const refused = await browser.submit(await browser.get(await linkIn(app)), reset, { password: "short" });
  assert.equal(refused.status, 422);
  const done = await browser.submit(refused, reset, { password: fresh });
  assert.ok(done.text.includes(`<a class="button" href="/auth/sign-in${next}">`), done.text);
  for (const dead of [await browser.get(await linkIn(app)), await browser.submit(refused, reset, {})]) {
    assert.equal(dead.status, 404);
    assert.ok(dead.text.includes(`<a class="button" href="${forgot}${next}">`), dead.text);
  }
  const again = await browser.get(`/auth/sign-in${next}`);
  const signed = await browser.submit(again, "/auth/sign-in", { email, password: fresh });
  assert.equal(signed.headers.get("location"), "/app/leads?view=all&search=Ada");
  const code = "user_code=123456";
  for (
    const foreign of [
      "https://evil.example/",
      `/auth/device?${code}`,
      `/app/%2e%2e/auth/device?${code}`,
      `/app/.%2E/auth/device?${code}`,
    ]
  ) {
    const page = await browser.get(`${forgot}?${new URLSearchParams({ next: foreign })}`);
    assert.doesNotMatch(page.text, /evil|123456/);
    await browser.submit(page, forgot, { email, next: foreign });
    assert.doesNotMatch(await linkIn(app), /next/);
  }
});

import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { withPassword } from "../support/oauth.ts";

const password = "correct horse";

async function person(app: TestApp) {
  const company = await app.company();
  const email = await withPassword(app, company.admin, password);
  return { company, email, browser: new Browser(app.url) };
}

Deno.test("pages have no script and no inline style, a policy that forbids both, and cannot be framed", async () => {
  await using app = await startApp();
  const { browser } = await person(app);
  for (const path of ["/auth/sign-in", "/auth/signed-out", "/auth/?client_id=x"]) {
    const { headers, text } = await browser.get(path);
    const policy = headers.get("content-security-policy")!;
    assert.match(policy, /^default-src 'none'; style-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(!policy.includes("unsafe"));
    assert.equal(headers.get("cache-control"), "no-store");
    assert.doesNotMatch(text, /<script|style=|<style| on\w+=/);
    assert.match(text, /^<!doctype html><html lang="en">/);
  }
  const style = await browser.get("/auth/style.css");
  assert.equal(style.headers.get("content-type"), "text/css; charset=utf-8");
  assert.match(style.text, /prefers-color-scheme: dark/);
});

Deno.test("the session cookie is HttpOnly and SameSite=Lax, and Secure outside of localhost", async () => {
  await using local = await startApp();
  const reply = await fetch(`${local.url}/auth/sign-in`);
  await reply.text();
  const [cookie] = reply.headers.getSetCookie();
  assert.match(cookie!, /^session=[\w-]{43}; .*HttpOnly/);
  assert.match(cookie!, /SameSite=Lax/i);
  assert.doesNotMatch(cookie!, /Secure/);
  await using far = await startApp({ PUBLIC_URL: "https://crm.example.org" });
  const other = await fetch(`${far.url}/auth/sign-in`);
  await other.text();
  assert.match(other.headers.getSetCookie()[0]!, /Secure/);
});

Deno.test("outside of localhost the cookie has the prefix that keeps other hosts from setting it", async () => {
  await using app = await startApp({ PUBLIC_URL: "https://crm.example.org" });
  const { email, browser } = await person(app);
  const page = await browser.get("/auth/sign-in");
  const attributes = page.headers.getSetCookie()[0]!.split("; ");
  assert.match(attributes[0]!, /^__Host-session=[\w-]{43}$/);
  assert.ok(attributes.includes("Path=/") && attributes.includes("Secure"));
  assert.ok(!attributes.some((attribute) => attribute.startsWith("Domain")));
  await browser.submit(page, "/auth/sign-in", { email, password });
  const [name, value] = [...browser.cookies][0]!;
  assert.ok((await browser.get("/auth/sign-in")).text.includes(email));
  const tossed = new Browser(app.url);
  tossed.cookies.set(name.replace("__Host-", ""), value);
  assert.ok(!(await tossed.get("/auth/sign-in")).text.includes(email));
  const signedOut = await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-out", {});
  assert.match(signedOut.headers.getSetCookie()[0]!, /^__Host-session=; .*Max-Age=0.*Path=\/;.*Secure/);
});

Deno.test("signing in changes the cookie, so that a planted one is worth nothing", async () => {
  await using app = await startApp();
  const { email, browser } = await person(app);
  const page = await browser.get("/auth/sign-in");
  const before = browser.cookies.get("session")!;
  const signed = await browser.submit(page, "/auth/sign-in", { email, password });
  assert.equal(signed.status, 303);
  const after = browser.cookies.get("session")!;
  assert.notEqual(after, before);
  assert.ok((await browser.get("/auth/sign-in")).text.includes(email));
  const thief = new Browser(app.url);
  thief.cookies.set("session", before);
  assert.ok(!(await thief.get("/auth/sign-in")).text.includes(email));
  assert.ok(!JSON.stringify(await app.sql("select * from sessions")).includes(after));
});

Deno.test("a form without its visitor's token is refused", async () => {
  await using app = await startApp();
  const { email, browser } = await person(app);
  const page = await browser.get("/auth/sign-in");
  const stranger = new Browser(app.url);
  await stranger.get("/auth/sign-in");
  const refusals = [
    await browser.submit(page, "/auth/sign-in", { email, password, token: "" }),
    await browser.post("/auth/sign-in", { email, password }),
    await stranger.submit(page, "/auth/sign-in", { email, password }),
    await new Browser(app.url).submit(page, "/auth/sign-in", { email, password }),
  ];
  assert.deepEqual(refusals.map(({ status }) => status), [403, 403, 403, 403]);
  assert.deepEqual(await app.sql("select * from sessions"), []);
});

Deno.test("a wrong password and an unknown address get the same answer and no session", async () => {
  await using app = await startApp();
  const { email, browser } = await person(app);
  const page = await browser.get("/auth/sign-in");
  const wrong = await browser.submit(page, "/auth/sign-in", { email, password: "wrong" });
  const unknown = await browser.submit(page, "/auth/sign-in", { email: "x@example.org", password });
  assert.deepEqual([wrong.status, unknown.status], [422, 422]);
  assert.equal(wrong.text.replace(email, ""), unknown.text.replace("x@example.org", ""));
  assert.match(wrong.text, /role="alert"/);
  assert.deepEqual(await app.sql("select * from sessions"), []);
});

Deno.test("signing in redirects only to our own pages", async () => {
  await using app = await startApp();
  const { email } = await person(app);
  for (
    const next of [
      "https://evil.example.org/",
      "//evil.example.org/",
      "/\\evil.example.org",
      "/auth/../v1",
      "x",
    ]
  ) {
    const browser = new Browser(app.url);
    const page = await browser.get("/auth/sign-in");
    const signed = await browser.submit(page, "/auth/sign-in", { email, password, next });
    assert.equal(signed.headers.get("location"), "/app", next);
  }
});

Deno.test("a session ends by signing out, 14 days after its last use, and with the user's password", async () => {
  await using app = await startApp();
  const { company, email } = await person(app);
  const signedIn = async () => {
    const browser = new Browser(app.url);
    await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-in", { email, password });
    return { browser, cookie: browser.cookies.get("session")! };
  };
  const shows = async (cookie: string) => {
    const browser = new Browser(app.url);
    browser.cookies.set("session", cookie);
    return (await browser.get("/auth/sign-in")).text.includes(email);
  };
  const out = await signedIn();
  assert.equal(await shows(out.cookie), true);
  const page = await out.browser.get("/auth/sign-in");
  const left = await out.browser.submit(page, "/auth/sign-out", {});
  assert.equal(left.headers.get("location"), "/auth/signed-out");
  assert.equal(await shows(out.cookie), false);

  const old = await signedIn();
  app.clock.move(14 * 24 * 3_600_000 - 1);
  assert.equal(await shows(old.cookie), true);
  app.clock.move(1);
  assert.equal(await shows(old.cookie), false);

  const other = await signedIn();
  await withPassword(app, company.admin, "another horse");
  assert.equal(await shows(other.cookie), false);
});

Deno.test("requests that are not our forms get 4xx pages, never 500", async () => {
  await using app = await startApp();
  for (const action of ["/auth/sign-in", "/auth/consent", "/auth/sign-out"]) {
    for (
      const [type, body] of [["text/plain", "x"], ["application/x-www-form-urlencoded", "%00=%00&token=%00"]]
    ) {
      const reply = await fetch(app.url + action, {
        method: "POST",
        headers: { "Content-Type": type! },
        body,
      });
      assert.ok(reply.status >= 400 && reply.status < 500, `${action} ${reply.status}`);
      assert.match(await reply.text(), /^<!doctype html>/);
    }
  }
  assert.deepEqual(app.log.entries.filter((entry) => entry.level === "error"), []);
});

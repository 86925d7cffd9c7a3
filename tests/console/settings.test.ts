/** The settings of a person, the question before a lead is deleted, and forms without a session. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { makeSales } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

Deno.test("a person changes name, time zone, language, signature, notifications, team and password", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [first, second] = [await company.team({ name: "First" }), await company.team({ name: "Second" })];
  const user = await company.user({ teams: [first, second] });
  const browser = await signedIn(app, user);
  const page = await browser.get("/app/me");
  assert.match(page.text, /<h1>Your settings<\/h1>/);
  const profile = {
    first_name: "Ada",
    last_name: "Lovelace",
    phone_number: "020 7946 0018",
    timezone: "Europe/Berlin",
    locale: "de-DE",
    signature: "Ada <Lovelace>\nLondon",
    "notify.note": "mail",
  };
  const wrong = await browser.submit(page, "/app/me", { ...profile, first_name: "" });
  assert.equal(wrong.status, 422, wrong.text);
  assert.match(wrong.text, /<a href="#[^"]+first_name">First name: Please fill in this field\./);
  const saved = await browser.submit(wrong, "/app/me", profile);
  assert.equal(saved.status, 303, saved.text);
  const twice = await browser.submit(wrong, "/app/me", profile);
  assert.equal(twice.status, 303, twice.text);
  const after = await browser.follow(saved);
  assert.match(after.text, /<html lang="de">[\s\S]*Gespeichert\./);
  assert.match(after.text, />Ada &lt;Lovelace&gt;\nLondon<\/textarea>/);
  const path = `/v1/companies/${company.id}/users/${user.id}`;
  const html = "<b>Ada</b><br>London";
  await company.admin.call("PUT", path, { signature: { email: html } });
  const sent = { ...profile, signature: "Ada\r\nLondon" };
  await browser.follow(await browser.submit(await browser.get("/app/me"), "/app/me", sent));
  const stored = await company.admin.call("GET", path);
  assert.match(stored.body.signature.email, /<b>Ada<\/b>/, "an unchanged text keeps its HTML");
  const [row] = await app.sql(
    "select mail, app, push from notification_preferences where user_id = ? and type = 'note'",
    user.id,
  );
  assert.deepEqual({ ...row }, { mail: 1, app: 0, push: 0 });

  const switched = await browser.submit(after, "/app/me/team", { team_id: String(second) });
  const chosen = await browser.follow(switched);
  assert.match(chosen.text, new RegExp(`<option value="${second}" selected`));
  const refused = await browser.submit(chosen, "/app/me/password", {
    old_password: "wrong",
    new_password: "battery horse staple",
  });
  assert.equal(refused.status, 422, refused.text);
  assert.doesNotMatch(refused.text, /battery horse staple/);
  const changed = await browser.submit(refused, "/app/me/password", {
    old_password: "correct horse",
    new_password: "battery horse staple",
  });
  assert.equal(changed.status, 303, changed.text);
  assert.match((await browser.follow(changed)).text, /Passwort geändert\./);
});

Deno.test("a double click changes the password once, and the session stays, whichever answer comes last", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const browser = await signedIn(app, admin);
  const cookie = browser.cookies.get("session")!;
  const page = await browser.get("/app/me");
  const passwords = { old_password: "correct horse", new_password: "battery horse staple" };
  const send = () => {
    // Both clicks come with the cookie of the page.
    browser.cookies.set("session", cookie);
    return browser.submit(page, "/app/me/password", passwords);
  };
  const [one, two] = await Promise.all([send(), send()]);
  const late = await send();
  for (const answer of [one, two, late]) {
    assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/app/me"], answer.text);
  }
  assert.equal((await browser.get("/app/me")).status, 200);
  const [events] = await app.sql("select count(*) as n from sessions where user_id = ?", admin.id);
  assert.equal(events!.n, 1);
  browser.cookies.set("session", cookie);
  const other = await browser.submit(page, "/app/me/password", { ...passwords, key: crypto.randomUUID() });
  assert.match(other.headers.get("location")!, /^\/auth\/sign-in\?/, "another form has no session");
});

Deno.test("a lead is deleted after a question, by people with the right alone", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const path = `/app/leads/${lead.id}/delete`;
  const member = await signedIn(app, sales.member);
  assert.equal((await member.get(path)).status, 403);
  const admin = await signedIn(app, sales.admin);
  const question = await admin.get(path);
  assert.match(question.text, /<h1>Delete Ada Byron\?<\/h1>/);
  const gone = await admin.submit(question, path, {});
  assert.equal(gone.headers.get("location"), "/app/leads");
  assert.match((await admin.get("/app/me")).text, /Deleted\./);
  assert.equal((await admin.get(`/app/leads/${lead.id}`)).status, 404);
});

Deno.test("a form without a session leads back to the page that showed it", async () => {
  await using app = await startApp();
  await app.company();
  const nobody = new Browser(app.url);
  const pages = {
    "/app/me/password": "/app/me",
    "/app/notifications/read": "/app",
    "/app/cases/new?contact_id=1": "/app/cases/new?contact_id=1",
    "/app/cases/1/notes": "/app/cases/1",
  };
  for (const [action, page] of Object.entries(pages)) {
    const { headers } = await nobody.post(action, {});
    assert.equal(headers.get("location"), `/auth/sign-in?${new URLSearchParams({ next: page })}`, action);
  }
});

Deno.test("a theme holds from the first paint, and single keys can be switched off", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const browser = await signedIn(app, admin);
  const page = await browser.get("/app/me");
  assert.match(page.text, /<html lang="en">/);
  assert.match(page.text, /name="theme" value="auto" checked=""\/><label[^>]*>As the device<\/label>/);
  assert.match(page.text, /name="shortcuts"[^>]* checked=""\/><label[^>]*>Keyboard shortcuts<\/label>/);
  const profile = { first_name: "Ada", last_name: "Byron", theme: "dark" };
  const after = await browser.follow(await browser.submit(page, "/app/me", profile));
  assert.match(after.text, /Saved\./);
  assert.match(after.text, /<html lang="en" data-theme="dark">[\s\S]*name="color-scheme" content="dark"/);
  assert.match(after.text, /<body[^>]* data-shortcuts="off"/);
  assert.match((await browser.get("/app")).text, /data-theme="dark"/);
  const back = await browser.submit(after, "/app/me", { ...profile, theme: "light", shortcuts: "on" });
  const light = (await browser.follow(back)).text;
  assert.match(light, /data-theme="light"/);
  assert.doesNotMatch(light, /data-shortcuts/);
  const wrong = await browser.submit(after, "/app/me", { ...profile, theme: "blue", key: "another" });
  assert.equal(wrong.status, 422, wrong.text);
});

/** Customers on the console: lists, pages, forms, files and notes, and what asks first. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { copy } from "../customers/deletion_world.ts";
import type { Shown } from "../support/browser.ts";
import { signedIn } from "./world.ts";

const listFields = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

async function world(app: TestApp) {
  const { admin, ...company } = await app.company();
  const option = await admin.call("POST", "/v1/fields/contact", { label: "Fuel", type: "single_choice" });
  const diesel = await admin.call("POST", `/v1/fields/contact/${option.body.id}/options`, {
    value: "Diesel",
  });
  await admin.call("POST", "/v1/fields/contact", { label: "Secret", type: "text", is_hidden: true });
  const user = await company.user({ rights: ["customers.delete"] });
  return { admin, user, fuel: option.body.id as string, diesel: diesel.body.id as string };
}

const at = (answer: Shown) => answer.headers.get("location")!;

Deno.test("an account and a contact are made, changed and deleted by their forms", async () => {
  await using app = await startApp();
  const { admin, user, fuel, diesel } = await world(app);
  const browser = await signedIn(app, user);
  const blank = await browser.get("/app/accounts/new");
  assert.match(blank.text, /<h1>New account<\/h1>/);
  const without = await browser.submit(blank, "/app/accounts/new", { "fixed.city": "London" });
  assert.equal(without.status, 422, without.text);
  assert.match(without.text, /<a href="#accounts-new-fixed.name">Name: Please fill in this field\./);
  assert.match(without.text, /name="fixed.city"[^>]*value="London"/);
  const made = await browser.submit(without, "/app/accounts/new", { "fixed.name": "Ada <Ltd>" });
  assert.equal(made.status, 303, made.text);
  const twice = await browser.submit(without, "/app/accounts/new", { "fixed.name": "Ada <Ltd>" });
  assert.deepEqual([twice.status, at(twice)], [303, at(made)], "the same form makes one account, unasked");
  const account = await browser.follow(made);
  assert.match(account.text, /Account created\./);
  assert.match(account.text, /<h1>Ada &lt;Ltd&gt;<\/h1>/);

  const add = `${at(made)}/contacts/new`;
  const form = await browser.get(add);
  assert.doesNotMatch(form.text, /Secret/);
  for (const legend of ["e-mail", "call", "letter", "text message"]) {
    assert.ok(form.text.includes(`<legend>Consent: ${legend}</legend>`), legend);
  }
  const typed = {
    "fixed.last_name": "Byron",
    "fixed.email": "ada@example.org",
    [`custom.${fuel}`]: diesel,
    "consent.email": "true",
    "consent.call": "false",
  };
  const send = () => browser.submit(form, add, typed);
  const [born, beside] = await Promise.all([send(), send()]);
  assert.equal(born.status, 303, born.text);
  assert.equal(at(beside), at(born));
  const contact = await browser.follow(born);
  assert.match(contact.text, /Contact created\./);
  assert.match(contact.text, /Diesel/);
  const id = at(born).split("/").at(-1)!;
  const stored = await admin.call("GET", `/v1/contacts/${id}`);
  const { email, call, sms } = stored.body.consent;
  assert.deepEqual([email, call, sms].map(({ consent_given }) => consent_given), [true, false, null]);

  const like = await browser.submit(blank, "/app/accounts/new", { "fixed.name": "ÁDA <ltd>", key: "like" });
  assert.equal(like.status, 409, like.text);
  assert.ok(like.text.includes(`<a href="${at(made)}">`), "without case and accents");
  const odd = await browser.submit(blank, "/app/accounts/new", { "fixed.name": "Ada\nLtd", key: "odd" });
  assert.match(odd.text, /<a href="#accounts-new-fixed.name">Name:/);

  const again = await browser.submit(form, add, { "fixed.email": "ada@example.org", key: "second" });
  assert.equal(again.status, 409, again.text);
  assert.match(again.text, /Already known\?/);
  assert.ok(again.text.includes(`<a href="/app/contacts/${id}">`));
  const all_the_same = await browser.submit(again, add, { "fixed.email": "ada@example.org" });
  assert.equal(all_the_same.status, 303, all_the_same.text);

  const drop = await browser.get(`${at(born)}/delete`);
  assert.match(drop.text, /<h1>Delete Byron\?<\/h1>/);
  const gone = await browser.submit(drop, `${at(born)}/delete`, {});
  assert.match((await browser.follow(gone)).text, /Deleted\./);
  assert.equal((await browser.get(at(born))).status, 404);
  const gone_twice = await browser.submit(drop, `${at(born)}/delete`, {});
  assert.deepEqual([gone_twice.status, at(gone_twice)], [303, at(gone)]);
  const impact = await browser.get(`${at(made)}/delete`);
  assert.match(impact.text, /<li>1 contact<\/li>/);
});

Deno.test("a form against a changed contact shows both values, and saves when it is sent again", async () => {
  await using app = await startApp();
  const { admin, user } = await world(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: listFields({ name: "Ada Ltd" }) });
  const made = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: listFields({ last_name: "Byron", title: "Countess" }),
  });
  const browser = await signedIn(app, user);
  const path = `/app/contacts/${made.body.id}/edit`;
  const form = await browser.get(path);
  await admin.call("PUT", `/v1/accounts/${account.body.id}/contacts/${made.body.id}`, {
    fixed_fields: listFields({ title: "Lady" }),
  });
  const late = await browser.submit(form, path, { "fixed.last_name": "Byron", "fixed.title": "Dr" });
  assert.equal(late.status, 412, late.text);
  assert.match(late.text, /role="alert"[^>]*><p>[^<]*changed/);
  assert.match(late.text, /name="fixed.title"[^>]*value="Dr"/);
  assert.match(late.text, /Stored now: Lady/);
  assert.doesNotMatch(late.text, /Stored now: Byron/);
  const saved = await browser.submit(late, path, { "fixed.last_name": "Byron", "fixed.title": "Dr" });
  assert.match((await browser.follow(saved)).text, /Saved\./);
});

Deno.test("a contact takes notes as they are typed, files, and cases", async () => {
  await using app = await startApp();
  const { admin, user } = await world(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: listFields({ name: "Ada Ltd" }) });
  const made = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: listFields({ last_name: "Byron" }),
  });
  const process = await admin.call("POST", "/v1/relations-paths", {
    name: "New cars",
    activity_types: { milestones: [{ name: "Offer" }] },
  });
  const browser = await signedIn(app, user);
  const path = `/app/contacts/${made.body.id}`;
  const page = await browser.get(path);
  const noted = await browser.submit(page, `${path}/notes`, { note: "1 < 2\nyes" });
  assert.match((await browser.follow(noted)).text, /1 &lt; 2<br \/>yes/);

  const cookie = `session=${browser.cookies.get("session")}`;
  const token = /name="token" value="([^"]+)"/.exec(page.text)![1]!;
  const upload = new FormData();
  upload.set("token", token);
  upload.set("key", "one");
  upload.set("file", new File(["hello"], "Größe & more.txt"));
  const sent = await fetch(`${app.url}${path}/files`, {
    method: "POST",
    headers: { cookie },
    body: upload,
    redirect: "manual",
  });
  await sent.body?.cancel();
  assert.equal(sent.status, 303);
  const withFile = await browser.get(path);
  assert.match(withFile.text, /Größe &amp; more\.txt/);
  const link = /href="(\/app\/files\/[^"]+\/download)"/.exec(withFile.text)![1]!;
  const content = await fetch(`${app.url}${link}`, { headers: { cookie } });
  assert.deepEqual([content.status, await content.text()], [200, "hello"]);
  const file = /data-entity="file" data-id="([^"]+)"/.exec(withFile.text)![1]!;
  const detached = await browser.submit(withFile, `${path}/files/${file}/detach`, {});
  assert.doesNotMatch((await browser.follow(detached)).text, /data-entity="file"/);

  const open = await browser.get(`/app/cases/new?contact_id=${made.body.id}`);
  const opened = await browser.submit(open, "/app/cases/new", { relations_path_id: process.body.id });
  assert.equal(opened.status, 303, opened.text);
  assert.match((await browser.follow(opened)).text, /Case created\./);
  assert.match((await browser.get(path)).text, /data-list="cases" data-total="1"/);
});

Deno.test("customers are found and sorted, and people without a right are not offered what they may not do", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const name of ["Zoe Ltd", "Ada Ltd"]) {
    await admin.call("POST", "/v1/accounts", { fixed_fields: listFields({ name }) });
  }
  const browser = await signedIn(app, admin);
  const list = await browser.get("/app/customers?kind=accounts&sort=name");
  assert.match(list.text, /data-list="accounts" data-total="2"/);
  assert.ok(list.text.indexOf("Ada Ltd") < list.text.indexOf("Zoe Ltd"));
  const found = await browser.get("/app/customers?kind=accounts&search=zoe");
  assert.match(found.text, /data-list="accounts" data-total="1"/);
  const none = await browser.get("/app/customers?kind=contacts&sort=name");
  assert.match(none.text, /role="alert"[^>]*>[^<]*sort/);
  assert.match(none.text, /data-list="contacts" data-total="0"/);
  for (const kind of ["contacts", "accounts"]) {
    const gone = await browser.get(`/app/customers?kind=${kind}&filter_id=${crypto.randomUUID()}`);
    assert.equal(gone.status, 200, gone.text);
    assert.match(gone.text, /role="alert"[^>]*>[^<]*filter_id/);
  }
});

Deno.test("a contact shows each of their cases, however many the account has", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: listFields({ name: "Ada Ltd" }) });
  const process = await admin.call("POST", "/v1/relations-paths", {
    name: "New cars",
    activity_types: { milestones: [{ name: "Offer" }] },
  });
  const opened: string[][] = [];
  for (const last_name of ["Byron", "Burton"]) {
    const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
      fixed_fields: listFields({ last_name }),
    });
    const made = await admin.call("POST", "/v1/cases", {
      contact_id: contact.body.id,
      relations_path_id: process.body.id,
    });
    opened.push([contact.body.id, made.body.id]);
  }
  const [[byron, theirs], [burton, many]] = opened as [[string, string], [string, string]];
  const copied = { id: "x.id || i", case_number: "x.case_number + i" };
  await copy(app, "cases", `x.id = '${many}'`, copied, 120);
  const browser = await signedIn(app, admin);
  const few = await browser.get(`/app/contacts/${byron}`);
  assert.match(few.text, /data-list="cases" data-total="1"/);
  assert.ok(few.text.includes(`data-entity="case" data-id="${theirs}"`));
  assert.doesNotMatch(few.text, /Show all \(/);
  const page = await browser.get(`/app/contacts/${burton}`);
  assert.match(page.text, /data-list="cases" data-total="121"/);
  const link = `/app/cases?view=list&amp;contact_ids=${burton}`;
  assert.ok(page.text.includes(`<a href="${link}">Show all (121)</a>`), page.text);
  assert.match((await browser.get(link.replace("&amp;", "&"))).text, /data-list="cases" data-total="121"/);
  const all = await browser.get(`/app/accounts/${account.body.id}`);
  assert.match(all.text, /Show all \(122\)/);
});

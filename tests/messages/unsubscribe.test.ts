/** The link by which a contact ends e-mails: its page, one click by a mail program, and what neither changes. */
import assert from "node:assert/strict";
import { makeId } from "../../src/core/ids.ts";
import {
  readUnsubscribing,
  unsubscribeHeaders,
  unsubscribeUrl,
  type Unsubscribing,
} from "../../src/messages/unsubscribe/links.ts";
import { startTarget } from "../support/listener.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";

const oneClick = "List-Unsubscribe=One-Click";
const formType = "application/x-www-form-urlencoded";

async function newContact(admin: Actor, consent?: boolean): Promise<{ id: string; account_id: string }> {
  const makeFixed = (name: string, value: string) => ({ fixed_fields: [{ name, value }] });
  const account = await admin.call("POST", "/v1/accounts", makeFixed("name", "Ada & Co"));
  const { body, text } = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    ...makeFixed("last_name", "Lovelace"),
    ...(consent === undefined ? {} : { consent: { email: { consent_given: consent } } }),
  });
  assert.ok(body.id, text);
  return { id: body.id, account_id: account.body.id };
}

const linkTo = (app: TestApp, admin: Actor, contactId: string | null): string =>
  unsubscribeUrl(app.deps.secretsKey, app.url, { companyId: admin.companyId, contactId, aboutId: makeId(0) });

function post(url: string, body: BodyInit = oneClick, type: string | null = formType): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: type === null ? {} : { "Content-Type": type } });
}

Deno.test("the page asks and changes nothing; its button ends the e-mails, once, with one event", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const target = startTarget();
  await admin.call("POST", "/v1/webhooks", { target_url: target.url, webhook_event: "contact_updated" });
  const { id, account_id } = await newContact(admin);
  const consent = async () =>
    (await admin.call("GET", `/v1/accounts/${account_id}/contacts/${id}`)).body.consent.email;
  const url = linkTo(app, admin, id);
  for (const method of ["GET", "HEAD", "GET"]) {
    const page = await fetch(url, { method });
    const text = await page.text();
    assert.equal(page.status, 200, text);
    if (method === "GET") {
      assert.match(text, /<form method="post"><input type="hidden" name="List-Unsubscribe"/);
    }
    assert.equal(page.headers.get("set-cookie"), null);
    assert.match(page.headers.get("content-security-policy")!, /default-src 'none'/);
  }
  assert.equal((await consent()).consent_given, null);
  app.clock.move(1000);
  for (let n = 0; n < 2; n++) {
    const done = await post(url);
    assert.deepEqual([done.status, /You are unsubscribed/.test(await done.text())], [200, true]);
  }
  assert.deepEqual(await consent(), { consent_given: false, updated_at: "2026-03-02 09:00:01" });
  await app.idle();
  assert.equal(target.received.length, 1);
  await target.close();
});

Deno.test("a mail program unsubscribes by form and by multipart; other posts are refused and change nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const consents = async () =>
    (await app.sql("select consent_email from contacts order by seq")).map((row) => row.consent_email);
  const contacts = [await newContact(admin, true), await newContact(admin, true)];
  const [first, second] = contacts.map(({ id }) => linkTo(app, admin, id));
  const other = new FormData();
  other.append("unsubscribe", "1");
  const refused: [BodyInit, string | null, number][] = [
    ["", formType, 400],
    ["List-Unsubscribe=Two-Click", formType, 400],
    [other, null, 400],
    ["--x\r\nbroken", "multipart/form-data; boundary=x", 400],
    [JSON.stringify({ "List-Unsubscribe": "One-Click" }), "application/json", 415],
    [`${oneClick}&x=${"y".repeat(20_000)}`, formType, 413],
  ];
  for (const [body, type, status] of refused) {
    const reply = await post(first!, body, type);
    const text = await reply.text();
    assert.equal(reply.status, status, text);
    assert.match(text, /<h1>/);
  }
  assert.deepEqual(await consents(), [1, 1]);
  assert.equal((await post(first!)).status, 200);
  const form = new FormData();
  form.append("List-Unsubscribe", "One-Click");
  assert.equal((await post(second!, form, null)).status, 200);
  assert.deepEqual(await consents(), [0, 0]);
});

Deno.test("a contact that is gone is 200, a test link ends nothing, and a forged or foreign one is 404", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { admin: stranger } = await app.company("Other");
  const { id } = await newContact(admin, true);
  assert.equal((await post(linkTo(app, admin, makeId(0)))).status, 200);
  const tested = await post(linkTo(app, admin, null));
  assert.match(await tested.text(), /Nobody was unsubscribed/);
  // A link of another company to this contact.
  assert.equal((await post(linkTo(app, stranger, id))).status, 200);
  const url = linkTo(app, admin, id);
  for (const wrong of [`${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`, `${app.url}/unsubscribe/x`]) {
    for (const method of ["GET", "POST"] as const) {
      const reply = await (method === "GET" ? fetch(wrong) : post(wrong));
      assert.deepEqual([reply.status, /This link does not work/.test(await reply.text())], [404, true]);
    }
  }
  const other = new URL(url);
  const moved: Unsubscribing = readUnsubscribing(app.deps.secretsKey, other.pathname.split("/")[2]!)!;
  assert.deepEqual([moved.companyId, moved.contactId], [admin.companyId, id]);
  assert.deepEqual(await app.sql("select consent_email from contacts"), [{ consent_email: 1 }]);
  // Years later it still works.
  app.clock.move(5 * 365 * 86_400_000);
  assert.equal((await post(url)).status, 200);
  assert.deepEqual(await app.sql("select consent_email from contacts"), [{ consent_email: 0 }]);
});

Deno.test("the headers are those of RFC 8058: one https address in brackets, and the value of the POST", () => {
  const url = unsubscribeUrl(new Uint8Array(32), "https://crm.example.com", {
    companyId: 1,
    contactId: makeId(0),
    aboutId: makeId(0),
  });
  const headers = unsubscribeHeaders(url);
  assert.match(headers["List-Unsubscribe"]!, /^<https:\/\/crm\.example\.com\/unsubscribe\/[\w-]{70,}>$/);
  assert.equal(headers["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
});

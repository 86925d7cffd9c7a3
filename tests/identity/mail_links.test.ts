/** Links in mails never lead to a host that only the sender of a request names. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { withPassword } from "../support/oauth.ts";
import { exchange } from "../support/raw.ts";

const evil = { host: "evil.example" };

/** Sends a raw request, since HTTP clients write the Host header themselves. */
async function post(
  app: TestApp,
  bearer: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = evil,
) {
  const text = JSON.stringify(body);
  const all = {
    host: new URL(app.url).host,
    authorization: `Bearer ${bearer}`,
    "content-type": "application/json",
    "content-length": String(text.length),
    connection: "close",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const { status, text: answer } = await exchange(app.url, `POST ${path} HTTP/1.1\r\n${lines}\r\n${text}`);
  await app.idle();
  return { status, detail: /"detail":"([^"]*)"/.exec(answer)?.[1] ?? "" };
}

const links = (app: TestApp) =>
  app.mailer.sent.map(({ text }) => /^https?:\/\/.+(?=\?token=)/m.exec(text)![0]);

/** Every API call that sends a mail with a link. */
async function calls(app: TestApp) {
  const company = await app.company();
  const email = await withPassword(app, await company.user(), "old horse battery");
  const client = await app.trustedClient();
  const admin = await company.token(company.admin.id);
  const invitations = `/v1/companies/${company.id}/invitations`;
  const { body: open } = await company.admin.call("POST", invitations, { email: "ada@example.org" });
  await app.idle();
  app.mailer.sent.length = 0;
  return [
    [client, "/v1/reset-password", { email }],
    [client, "/v1/reset-password", { email: "nobody@example.org" }],
    [admin, invitations, { email: "charles@example.org" }],
    [admin, `${invitations}/${open.id}/resend`, {}],
  ] as const;
}

Deno.test("without a public address a call to another host than this machine sends no mail", async () => {
  await using app = await startApp();
  for (const [bearer, path, body] of await calls(app)) {
    const refused = await post(app, bearer, path, body);
    assert.equal(refused.status, 503, path);
    assert.match(refused.detail, /PUBLIC_URL/);
  }
  assert.deepEqual(app.mailer.sent, []);
  assert.deepEqual(await app.sql("select * from password_resets"), []);
  assert.equal((await app.sql("select * from invitations")).length, 1);
  assert.deepEqual(await app.sql("select * from mails where status = 'pending'"), []);
});

Deno.test("with PUBLIC_URL links in mails lead there, for any host of a call", async () => {
  await using app = await startApp({ PUBLIC_URL: "https://crm.example.org" });
  for (const [bearer, path, body] of await calls(app)) {
    assert.ok((await post(app, bearer, path, body)).status < 300, path);
  }
  const [reset, invitation] = ["auth/reset-password", "auth/invitation"];
  assert.deepEqual(
    links(app),
    [reset, invitation, invitation].map((path) => `https://crm.example.org/${path}`),
  );
});

Deno.test("mails trust X-Forwarded-Host no more than Host", async () => {
  await using app = await startApp({ TRUST_PROXY: "true" });
  const [[bearer, path, body]] = await calls(app);
  assert.equal((await post(app, bearer, path, body, { "x-forwarded-host": "evil.example" })).status, 503);
  assert.deepEqual(app.mailer.sent, []);
  assert.equal((await post(app, bearer, path, body, {})).status, 204);
  assert.deepEqual(links(app), [`${app.url}/auth/reset-password`]);
});

Deno.test("the page for a forgotten password sends no mail for another host than this machine", async () => {
  await using app = await startApp({ TRUST_PROXY: "true" });
  const company = await app.company();
  const email = await withPassword(app, await company.user(), "old horse battery");
  const forwarded = { "x-forwarded-host": "evil.example" };
  const page = await fetch(`${app.url}/auth/forgot-password`, { headers: forwarded });
  const token = /name="token" value="([^"]+)"/.exec(await page.text())![1]!;
  const asked = await fetch(`${app.url}/auth/forgot-password`, {
    method: "POST",
    headers: { ...forwarded, cookie: page.headers.get("set-cookie")! },
    body: new URLSearchParams({ token, email }),
  });
  assert.equal(asked.status, 503);
  assert.match(await asked.text(), /Something went wrong/);
  await app.idle();
  assert.deepEqual(app.mailer.sent, []);
});

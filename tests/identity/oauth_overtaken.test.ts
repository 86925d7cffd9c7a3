/** Passwords, sessions and addresses that change between the check and the commit. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Browser, Shown } from "../support/browser.ts";
import { authorizePath, openConsentShop, password, signIn } from "../support/consent.ts";
import { newClient, withPassword } from "../support/oauth.ts";
import { overtakeReads } from "../support/race.ts";

const other = "battery staple";

/**
 * Sends the request on a connection of its own. The user gets another password right after the first read.
 */
async function overtakenBy(
  app: TestApp,
  newPassword: () => Promise<unknown>,
  path: string,
  body: Record<string, string>,
  cookie = "",
): Promise<Response> {
  const db = openFile(app.file);
  try {
    const { fetch } = createApp({ ...app.deps, db: overtakeReads(db, newPassword) });
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams(body),
    });
    return await fetch(request);
  } finally {
    await app.idle();
    await db.close();
  }
}

const tokenIn = ({ text }: Shown) => /name="token" value="([^"]*)"/.exec(text)![1]!;
const makeCookie = ({ cookies }: Browser) => `session=${cookies.get("session")}`;
const count = async (app: TestApp, table: string) =>
  (await app.sql(`select count(*) as n from ${table}`))[0]!.n;

Deno.test("a password that changes while it is verified gives no tokens", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const username = await withPassword(app, admin, password);
  const grant = { grant_type: "password", ...client, username, password };
  const reply = await overtakenBy(app, () => withPassword(app, admin, other), "/auth/token", grant);
  assert.deepEqual([reply.status, (await reply.json()).error], [400, "invalid_grant"]);
  assert.deepEqual([await count(app, "access_tokens"), await count(app, "refresh_tokens")], [0, 0]);
});

Deno.test("a client whose secret is replaced, or whose company is deleted, before the commit gets no token", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const client = await newClient(app, false, admin);
  const grant = { grant_type: "client_credentials", ...client };
  const before = await count(app, "access_tokens");
  for (
    const [sql, value] of [
      ["update applications set secret_hash = 'other' where client_id = ?", client.client_id],
      ["update companies set deleted_at = '2026-03-02 09:00:00' where id = ?", id],
    ] as const
  ) {
    const change = () => app.deps.db.write([{ sql, args: [value] }]);
    const [kept] = await app.sql(
      "select secret_hash from applications where client_id = ?",
      client.client_id,
    );
    const reply = await overtakenBy(app, change, "/auth/token", grant);
    assert.deepEqual([reply.status, (await reply.json()).error], [401, "invalid_client"], sql);
    const restore = "update applications set secret_hash = ? where client_id = ?";
    await app.deps.db.write([{ sql: restore, args: [String(kept!.secret_hash), client.client_id] }]);
  }
  assert.equal(await count(app, "access_tokens"), before);
});

Deno.test("a password that changes while it is verified opens no session", async () => {
  await using app = await startApp();
  const { company, email, browser } = await openConsentShop(app);
  const token = tokenIn(await browser.get("/auth/sign-in"));
  const reply = await overtakenBy(
    app,
    () => withPassword(app, company.admin, other),
    "/auth/sign-in",
    { token, email, password },
    makeCookie(browser),
  );
  assert.deepEqual([reply.status, await count(app, "sessions")], [422, 0]);
});

Deno.test("a session that ends during the consent gives no code", async () => {
  await using app = await startApp();
  const { company, client, email, browser } = await openConsentShop(app);
  const next = authorizePath(client.client_id);
  const token = tokenIn(await signIn(browser, next, email));
  const reply = await overtakenBy(
    app,
    () => withPassword(app, company.admin, other),
    "/auth/consent",
    { token, next, decision: "allow" },
    makeCookie(browser),
  );
  assert.deepEqual([reply.status, reply.headers.get("location")], [303, next]);
  assert.equal(await count(app, "authorization_codes"), 0);
});

Deno.test("a session that ends while a device is allowed allows none", async () => {
  await using app = await startApp();
  const { company, email, browser } = await openConsentShop(app);
  const token = tokenIn(await signIn(browser, "/auth/device", email));
  const code = String(await company.deviceCode(7));
  const reply = await overtakenBy(
    app,
    () => withPassword(app, company.admin, other),
    "/auth/device",
    { token, code, decision: "allow" },
    makeCookie(browser),
  );
  assert.match(await reply.text(), /action="\/auth\/sign-in"/);
  assert.deepEqual(await app.sql("select user_id, denied from device_codes"), [{ user_id: null, denied: 0 }]);
});

Deno.test("no link is mailed to an address that the user has given up meanwhile", async () => {
  await using app = await startApp();
  const { company, email, browser } = await openConsentShop(app);
  const admin = await company.user({ type: "admin" });
  const token = tokenIn(await browser.get("/auth/forgot-password"));
  const moved = { email: "moved@example.org" };
  const reply = await overtakenBy(
    app,
    () => admin.call("PUT", `/v1/companies/${company.id}/users/${company.admin.id}`, moved),
    "/auth/forgot-password",
    { token, email },
    makeCookie(browser),
  );
  assert.equal(reply.status, 200);
  await app.idle();
  const links = app.mailer.sent.filter(({ text }) => text.includes("token="));
  assert.deepEqual([links.length, await count(app, "password_resets")], [0, 0]);
});

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { authorizePath, codeFor, openConsentShop, password, redeem, signIn } from "../support/consent.ts";
import { askToken, newClient } from "../support/oauth.ts";

/** Returns the texts that a file beside the database contains in plain form. */
function findTexts(app: TestApp, texts: Record<string, string>): string[] {
  const files = readdirSync(app.folder).map((name) => readFileSync(join(app.folder, name)));
  return Object.keys(texts).filter((name) => files.some((file) => file.includes(texts[name]!)));
}

Deno.test("no issued token, code, secret, cookie or password is in a file of the database", async () => {
  await using app = await startApp();
  const { company, client, email } = await openConsentShop(app);
  const trusted = await newClient(app, true);
  const browser = new Browser(app.url);
  const early = (await browser.get("/auth/sign-in"), browser.cookies.get("session")!);
  await signIn(browser, authorizePath(client.client_id), email);

  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code")!;
  const { body: ofCode } = await redeem(app, client, code);
  const unused = (await codeFor(app, client.client_id, email)).searchParams.get("code")!;
  const refresh = { grant_type: "refresh_token", ...client, refresh_token: ofCode.refresh_token };
  const { body: refreshed } = await askToken(app, refresh);
  const { body: own } = await askToken(app, { grant_type: "client_credentials", ...client });
  const { body: device } = await askToken(app, { grant_type: "device_code", ...trusted });
  const { body: signed } = await askToken(app, {
    grant_type: "password",
    ...trusted,
    username: email,
    password,
  });
  const me = (await app.call(signed.access_token, "GET", "/v1/me")).body;
  const path = `/v1/companies/${company.id}/users/${me.id}/password`;
  const changed = await app.call(signed.access_token, "PUT", path, {
    old_password: password,
    new_password: "another long horse",
  }, { "Idempotency-Key": "once" });
  assert.equal(changed.status, 200, changed.text);
  const admin = await company.token(me.id, true);
  const rotated = await app.call(admin, "POST", `/v1/applications/${client.client_id}/secret`, undefined, {
    "Idempotency-Key": "secret",
  });
  const made = await app.call(await app.trustedClient(), "POST", "/v1/companies", {
    name: "Other",
    user: { first_name: "A", last_name: "B", email: "b@example.org", password: "first user's horse" },
  }, { "Idempotency-Key": "company" });
  assert.equal(made.status, 201, made.text);

  const secrets: Record<string, string> = {
    "client secret": client.client_secret,
    "rotated client secret": rotated.body.client_secret,
    "trusted client's secret": trusted.client_secret,
    "redeemed code": code,
    "unused code": unused,
    "access token of a code": ofCode.access_token,
    "refresh token of a code": ofCode.refresh_token,
    "refreshed access token": refreshed.access_token,
    "refreshed refresh token": refreshed.refresh_token,
    "access token of client credentials": own.access_token,
    "device code": device.device_code,
    "access token of a password": signed.access_token,
    "refresh token of a password": signed.refresh_token,
    "cookie before signing in": early,
    "cookie": browser.cookies.get("session")!,
    "password": password,
    "changed password": "another long horse",
    "first user's password": "first user's horse",
  };
  for (const [name, secret] of Object.entries(secrets)) assert.ok(secret?.length >= 13, name);
  assert.equal(new Set(Object.values(secrets)).size, Object.keys(secrets).length);
  assert.deepEqual(findTexts(app, { email, "client's id": client.client_id, ...secrets }), [
    "email",
    "client's id",
  ]);
  const log = JSON.stringify(app.log.entries);
  assert.deepEqual(Object.keys(secrets).filter((name) => log.includes(secrets[name]!)), []);
});

Deno.test("each token, code, secret and cookie has 256 random bits of its own", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const given: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const browser = new Browser(app.url);
    await signIn(browser, authorizePath(client.client_id), email);
    const code = (await codeFor(app, client.client_id, email)).searchParams.get("code")!;
    const { body } = await redeem(app, client, code);
    const { client_secret } = await newClient(app, false);
    given.push(browser.cookies.get("session")!, code, body.access_token, body.refresh_token, client_secret);
  }
  for (const text of given) assert.match(text, /^[\w-]{43}$/);
  assert.equal(new Set(given).size, given.length);
});

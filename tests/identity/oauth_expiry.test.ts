/** Expired rows are refused by the clock before the job removes them, and then removed. */
import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { removeExpired } from "../../src/db/expiry.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { codeFor, openConsentShop, redeem, signIn } from "../support/consent.ts";
import { askToken, newClient } from "../support/oauth.ts";

const hour = 3_600_000;

async function rows(app: TestApp, table: string): Promise<number> {
  return Number((await app.sql(`select count(*) as n from ${table}`))[0]!.n);
}

/** Asserts that the job keeps the table's one row just before its end, and removes it then. */
async function removedAt(app: TestApp, table: string, end: number): Promise<void> {
  await removeExpired(app.deps, end - 1, contributions.lifetimes);
  assert.equal(await rows(app, table), 1);
  await removeExpired(app.deps, end, contributions.lifetimes);
  assert.equal(await rows(app, table), 0);
}

Deno.test("a session at the pages ends 14 days after its last use, and is removed then", async () => {
  await using app = await startApp();
  const { email, browser } = await openConsentShop(app);
  const end = app.clock.now() + 14 * 24 * hour;
  await signIn(browser, "/auth/sign-in", email);
  const signedIn = async () => (await browser.get("/auth/sign-in")).text.includes("You are signed in");
  app.clock.set(end - 1);
  assert.equal(await signedIn(), true);
  app.clock.set(end);
  assert.equal(await rows(app, "sessions"), 1);
  assert.equal(await signedIn(), false);
  await removedAt(app, "sessions", end);
});

Deno.test("a code works for a minute, is kept for a day, and is removed then", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const made = app.clock.now();
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  app.clock.set(made + 60_000);
  assert.equal(await rows(app, "authorization_codes"), 1);
  assert.equal((await redeem(app, client, code)).body.error, "invalid_grant");
  await removedAt(app, "authorization_codes", made + 24 * hour);
});

Deno.test("a device code works for ten minutes, is kept for another day, and is removed then", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const made = app.clock.now();
  const ask = (more: object = {}) => askToken(app, { grant_type: "device_code", ...client, ...more });
  const { body: { device_code, user_code } } = await ask();
  app.clock.set(made + 600_000);
  assert.equal(await rows(app, "device_codes"), 1);
  assert.equal((await ask({ device_code })).body.error, "expired_token");
  const activation = await admin.call("POST", "/v1/device-activation", { code: user_code });
  assert.equal(activation.status, 422);
  await removedAt(app, "device_codes", made + 600_000 + 24 * hour);
});

Deno.test("a count of failures ends with its window, and is removed then", async () => {
  await using app = await startApp();
  const client = await newClient(app, true);
  const ask = (client_secret: string) =>
    askToken(app, { grant_type: "client_credentials", ...client, client_secret });
  const end = app.clock.now() + 600_000;
  for (let n = 0; n < 10; n++) await ask("wrong");
  app.clock.set(end - 1);
  assert.equal((await ask(client.client_secret)).status, 429);
  app.clock.set(end);
  assert.equal(await rows(app, "attempts"), 1);
  assert.equal((await ask(client.client_secret)).status, 200);
  await removedAt(app, "attempts", end);
});

/** Rows that begin while the clock is ahead end on time once the clock is right. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { codeFor, openConsentShop, redeem } from "../support/consent.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { signInAtProvider, ssoWorld } from "./sso_world.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Columns that hold ends, with the longest time from a row's beginning to its end. */
const ends: readonly (readonly [table: string, column: string, longest: number])[] = [
  ["access_tokens", "expires_at", hour],
  ["refresh_tokens", "expires_at", 7 * day],
  ["authorization_codes", "expires_at", minute],
  ["authorization_codes", "kept_until", day],
  ["device_codes", "expires_at", 10 * minute],
  ["device_codes", "kept_until", day + 10 * minute],
  ["device_codes", "poll_at", 5_000],
  ["sessions", "expires_at", 14 * 24 * hour],
  ["sign_ons", "expires_at", 10 * minute],
  ["password_resets", "expires_at", day],
  ["invitations", "expires_at", 7 * day],
  ["idempotency_keys", "expires_at", day],
  ["report_exports", "expires_at", 30 * day],
  ["report_charts", "expires_at", day],
];
/** Other kinds of ends. */
const others = [
  // Reads check these against the longest wait.
  "attempts.until",
  "leases.until",
  "staged_work.lease_until",
  "applications.previous_secret_until",
  "webhooks.previous_token_until",
  // For tests in tests/delivery.
  "mails.expires_at",
  "notifications.expires_at",
  // From the end of an import, for tests of imports.
  "exports.expires_at",
  "imports.expires_at",
  // Set by a caller.
  "leads.expires_at",
  "recoveries.until",
];

/** The ends of a column, without those of tokens that tests make. */
async function readEnds(app: TestApp, table: string, column: string): Promise<number[]> {
  const rows = await app.sql(
    `select ${column} as at from ${table} where ${column} < ${Date.UTC(2090, 0)} order by 1`,
  );
  return rows.map(({ at }) => Number(at));
}

async function begin(app: TestApp) {
  const { company, client, email } = await openConsentShop(app);
  const sso = await ssoWorld(app);
  const deviceClient = await newClient(app, true);
  return {
    client,
    deviceClient,
    /** Begins one of each kind; returns a token and the code of a device. */
    async everything() {
      const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
      const { body: tokens } = await redeem(app, client, code);
      const { body: device } = await askToken(app, { grant_type: "device_code", ...deviceClient });
      const reset = await app.call(await app.trustedClient(), "POST", "/v1/reset-password", { email });
      assert.equal(reset.status, 204, reset.text);
      const invited = await app.call(
        await company.token(company.admin.id),
        "POST",
        `/v1/companies/${company.id}/invitations`,
        { email: "charles@example.org" },
        { "Idempotency-Key": "once" },
      );
      assert.equal(invited.status, 201, invited.text);
      const admin = await company.token(company.admin.id);
      const exported = await app.call(admin, "POST", "/v1/reports/export", { indicators: ["users.total"] });
      assert.equal(exported.status, 200, exported.text);
      const chart = { kind: "metrics", indicators: ["users.total"] };
      assert.equal((await app.call(admin, "POST", "/v1/reports/charts", chart)).status, 200);
      await signInAtProvider(new Browser(app.url), sso.path);
      return { tokens, device };
    },
    [Symbol.asyncDispose]: () => sso[Symbol.asyncDispose](),
  };
}

Deno.test("every column of an end is in one of the lists", async () => {
  await using app = await startApp();
  const columns = await app.sql(
    "select t.name || '.' || c.name as name from pragma_table_list() t join pragma_table_info(t.name) c " +
      "where t.type = 'table' and (c.name like '%until' or c.name like 'expires%') order by 1",
  );
  const listed = [...ends.map(([table, column]) => `${table}.${column}`), ...others];
  assert.deepEqual(
    columns.map(({ name }) => name).filter((name) => !String(name).startsWith("sqlite")),
    listed.filter((name) => !name.endsWith(".poll_at")).toSorted(),
  );
});

for (const [ahead, name] of [[4 * 365 * day, "four years"], [10 * day, "ten days"]] as const) {
  Deno.test(`rows that began while the clock was ${name} ahead end as if they began now`, async () => {
    await using app = await startApp();
    await using world = await begin(app);
    app.clock.move(ahead);
    const { tokens, device } = await world.everything();
    app.clock.move(-ahead);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    for (const [table, column, longest] of ends) {
      const found = await readEnds(app, table, column);
      assert.ok(found.length > 0, table);
      for (const at of found) {
        assert.ok(at > app.clock.now(), `${table}.${column} has not ended`);
        assert.ok(at <= app.clock.now() + longest, `${table}.${column} ends in ${at - app.clock.now()} ms`);
      }
    }
    const me = async () => (await app.call(tokens.access_token, "GET", "/v1/me")).status;
    assert.equal(await me(), 200);
    app.clock.move(hour - 1);
    assert.equal(await me(), 200);
    app.clock.move(1);
    assert.equal(await me(), 401);
    const { device_code } = device;
    const late = await askToken(app, { grant_type: "device_code", ...world.deviceClient, device_code });
    assert.equal(late.body.error, "expired_token");
    const { refresh_token } = tokens;
    const renewed = await askToken(app, { grant_type: "refresh_token", ...world.client, refresh_token });
    assert.equal(renewed.status, 200, renewed.text);
  });
}

Deno.test("a token used while the clock was ahead ends on time, also in the cache", async () => {
  await using app = await startApp();
  await using world = await begin(app);
  app.clock.move(10 * day);
  const { tokens } = await world.everything();
  const me = async () => (await app.call(tokens.access_token, "GET", "/v1/me")).status;
  assert.equal(await me(), 200);
  app.clock.move(-10 * day);
  assert.equal(await me(), 200);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  app.clock.move(hour);
  assert.equal(await me(), 401);
});

Deno.test("rows that began while the clock was right keep their end, also when the clock is a minute behind", async () => {
  await using app = await startApp();
  await using world = await begin(app);
  await world.everything();
  const all = () => Promise.all(ends.map(([table, column]) => readEnds(app, table, column)));
  const before = await all();
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  app.clock.move(-minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  app.clock.move(minute);
  assert.deepEqual(await all(), before);
});

Deno.test("a client secret that was replaced while the clock was ahead no longer works", async () => {
  await using app = await startApp();
  const company = await app.company();
  const trusted = await company.token(company.admin.id, true);
  const { body: made } = await app.call(trusted, "POST", "/v1/applications", { name: "Shop" });
  const { client_id, client_secret } = made;
  const ask = () => askToken(app, { grant_type: "client_credentials", client_id, client_secret });
  app.clock.move(10 * day);
  const rotated = await app.call(trusted, "POST", `/v1/applications/${client_id}/secret`);
  assert.equal(rotated.status, 200, rotated.text);
  assert.equal((await ask()).status, 200);
  app.clock.move(-10 * day);
  assert.equal((await ask()).status, 401);
});

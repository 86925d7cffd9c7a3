import assert from "node:assert/strict";
import { CreatedCompany } from "../../src/identity/registration/schema.ts";
import { startApp } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";

const first = { first_name: "Ada", last_name: "Lovelace", email: "Ada@Example.org", password: "7 chars" };
const least = { name: "Nordlicht", user: first };

Deno.test("one call creates a company and its first user, an admin, with defaults", async () => {
  await using app = await startApp();
  const { status, body } = await app.call(await app.trustedClient(), "POST", "/v1/companies", least);
  assert.equal(status, 201);
  assert.deepEqual(CreatedCompany.parse(body), body);
  assert.equal(body.name, "Nordlicht");
  assert.deepEqual(body.timezone, { name: "UTC", offset: 0 });
  assert.deepEqual(
    [body.locale.code, body.locale.language_name, body.locale.country.code],
    ["en-GB", "English", "GB"],
  );
  assert.deepEqual(body.language, { code: "en", name: "English" });
  assert.deepEqual([body.currency.code, body.currency.symbol], ["EUR", "€"]);
  assert.deepEqual(body.plan, { id: 1, name: "standard" });
  assert.deepEqual([body.logo_1, body.logo_2, body.billing.country], [null, null, null]);
  assert.deepEqual(body.settings, {
    b2c: { allow: true, default: false },
    theme: "default",
    product: { mode: "advanced" },
    default_account_id: null,
    teams_can_create_relations_paths: false,
    groups_can_create_relations_paths: false,
    email_tracking: false,
    use_social_lookup: false,
    support: false,
  });
  const { user } = body;
  assert.deepEqual(user.user_type, { id: 1, name: "admin" });
  assert.deepEqual([user.email, user.team, user.teams, user.roles], ["Ada@Example.org", null, [], []]);
  assert.deepEqual([user.timezone.name, user.locale.code], ["UTC", "en-GB"]);
  assert.deepEqual([body.created_at, user.updated_at], ["2026-03-02 09:00:00", "2026-03-02 09:00:00"]);
});

Deno.test("a company keeps the given values, and its first user takes defaults from them", async () => {
  await using app = await startApp();
  const billing = {
    invoice_email: "billing@example.org",
    address_1: "Elbchaussee 1",
    address_2: "Hof",
    zip_code: "22765",
    city: "Hamburg",
    state: "HH",
  };
  const { body } = await app.call(await app.trustedClient(), "POST", "/v1/companies", {
    ...least,
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
    language: "de",
    currency: "CHF",
    billing: { ...billing, country: "DE" },
    phone_number: "040 123456",
    website: "https://example.org",
    vat: "DE123456789",
    user: { ...first, phone_number: "040 123456", job_title: "CEO", system_user: true },
  });
  const { country, ...rest } = body.billing;
  assert.deepEqual(rest, billing);
  assert.deepEqual(country, { name: "Germany", native_name: "Deutschland", code: "DE" });
  assert.deepEqual([body.timezone, body.language.code, body.currency.code], [
    { name: "Europe/Berlin", offset: 3600 },
    "de",
    "CHF",
  ]);
  assert.deepEqual([body.phone_number, body.website, body.vat], [
    "040 123456",
    "https://example.org",
    "DE123456789",
  ]);
  assert.deepEqual([body.user.timezone.name, body.user.locale.code], ["Europe/Berlin", "de-DE"]);
  assert.deepEqual(
    [body.user.formatted_phone_number, body.user.job_title, body.user.system_user],
    ["+49 40 123456", "CEO", true],
  );
  const other = await app.call(await app.trustedClient(), "POST", "/v1/companies", {
    ...least,
    timezone: { name: "Europe/Berlin" },
    user: { ...first, email: "b@example.org", timezone: { name: "Asia/Tokyo" } },
  });
  assert.deepEqual([other.body.timezone.name, other.body.user.timezone.name], [
    "Europe/Berlin",
    "Asia/Tokyo",
  ]);
  assert.notEqual(other.body.id, body.id);
  assert.notEqual(other.body.user.id, body.user.id);
});

Deno.test("the first user can sign in, and sees company and rights", async () => {
  await using app = await startApp();
  const made = await app.call(await app.trustedClient(), "POST", "/v1/companies", least);
  const client = await newClient(app, true);
  const sign = { grant_type: "password", ...client, username: "ada@example.org", password: "7 chars" };
  const me = await app.call((await askToken(app, sign)).body.access_token, "GET", "/v1/me");
  const { user, ...company } = made.body;
  assert.deepEqual(me.body.company, company);
  assert.equal(me.body.id, user.id);
  assert.ok(me.body.rights.includes("admin"));
});

Deno.test("only trusted clients create companies, with or without a user", async () => {
  await using app = await startApp();
  const { admin, token } = await app.company();
  const refused = await admin.call("POST", "/v1/companies", least);
  assert.deepEqual([refused.status, refused.body.code], [403, "forbidden"]);
  assert.match(refused.body.detail, /trusted/);
  const trusted = await token(admin.id, true);
  assert.equal((await app.call(trusted, "POST", "/v1/companies", least)).status, 201);
});

Deno.test("errors name field and rule, and nothing is created", async () => {
  await using app = await startApp();
  const client = await app.trustedClient();
  const cases: [object, string, string][] = [
    [{ user: first }, "name", "required"],
    [{ ...least, name: "" }, "name", "min"],
    [{ ...least, name: "n".repeat(101) }, "name", "max"],
    [{ name: "x" }, "user", "required"],
    [{ ...least, user: { ...first, email: "nobody" } }, "user.email", "format"],
    [{ ...least, user: { ...first, email: undefined } }, "user.email", "required"],
    [{ ...least, user: { ...first, email: `${"a".repeat(90)}@example.org` } }, "user.email", "max"],
    [{ ...least, user: { ...first, password: "6 char" } }, "user.password", "min"],
    [{ ...least, user: { ...first, first_name: null } }, "user.first_name", "required"],
    [{ ...least, user: { ...first, last_name: "n".repeat(256) } }, "user.last_name", "max"],
    [{ ...least, user: { ...first, timezone: { name: "Mars/Base" } } }, "user.timezone.name", "enum"],
    [{ ...least, timezone: { name: "+01:00" } }, "timezone.name", "enum"],
    [{ ...least, locale: { code: "xx-YY" } }, "locale.code", "enum"],
    [{ ...least, language: "klingon" }, "language", "enum"],
    [{ ...least, currency: "eur" }, "currency", "enum"],
    [{ ...least, website: "example" }, "website", "format"],
    [{ ...least, vat: "v".repeat(17) }, "vat", "max"],
    [{ ...least, billing: { country: "Germany" } }, "billing.country", "enum"],
    [{ ...least, billing: { invoice_email: "x" } }, "billing.invoice_email", "format"],
    [{ ...least, billing: { zip_code: "z".repeat(17) } }, "billing.zip_code", "max"],
    [{ ...least, billing: "Hamburg" }, "billing", "type"],
  ];
  for (const [body, path, code] of cases) {
    const reply = await app.call(client, "POST", "/v1/companies", body);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [[path, code]],
    );
  }
  assert.deepEqual(await app.sql("select count(*) as n from companies"), [{ n: 0 }]);
  assert.deepEqual(await app.sql("select count(*) as n from users"), [{ n: 0 }]);
});

Deno.test("one user in the whole service has an address, in any case", async () => {
  await using app = await startApp();
  const client = await app.trustedClient();
  const make = (email: string) =>
    app.call(client, "POST", "/v1/companies", { ...least, user: { ...first, email } });
  assert.equal((await make("ada@example.org")).status, 201);
  const again = await make("ADA@example.org");
  assert.equal(again.status, 422);
  assert.deepEqual([again.body.errors[0].path, again.body.errors[0].code], ["user.email", "unique"]);
});

Deno.test("companies created at once get ids of their own, and only one of them gets an address", async () => {
  await using app = await startApp();
  const client = await app.trustedClient();
  const make = (email: string) =>
    app.call(client, "POST", "/v1/companies", { ...least, user: { ...first, email } });
  const many = 12;
  const different = await Promise.all(Array.from({ length: many }, (_, n) => make(`a${n}@example.org`)));
  assert.deepEqual(different.map(({ status }) => status), Array(many).fill(201));
  assert.equal(new Set(different.map(({ body }) => body.id)).size, many);
  assert.equal(new Set(different.map(({ body }) => body.user.id)).size, many);
  const same = await Promise.all(["d@example.org", "D@example.org", "d@Example.org"].map(make));
  assert.deepEqual(same.map(({ status }) => status).sort(), [201, 422, 422]);
  const [row] = await app.sql(
    "select (select count(*) from companies) as companies, (select count(*) from users) as users",
  );
  assert.deepEqual(row, { companies: many + 1, users: many + 1 });
});

Deno.test("creating a company emits user_created for its first user", async () => {
  await using app = await startApp();
  const { body } = await app.call(await app.trustedClient(), "POST", "/v1/companies", least);
  const events = await app.sql(
    "select company_id, event_name, entity_id, sequence, executor_id, body from outbox",
  );
  assert.equal(events.length, 1);
  const [event] = events;
  assert.deepEqual(
    [event!.company_id, event!.event_name, event!.entity_id, event!.sequence, event!.executor_id],
    [body.id, "user_created", String(body.user.id), 1, null],
  );
  assert.deepEqual(JSON.parse(event!.body as string), body.user);
});

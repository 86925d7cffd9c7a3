import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { Company, CompanySettings } from "../../src/identity/companies/record_schema.ts";
import { type Reply, startApp } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { readTogether } from "../support/race.ts";

const faults = (reply: Reply) => {
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]);
};

Deno.test("all users of a company read it and its settings; another company is 404", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const ada = await company.user();
  const { body } = await ada.call("GET", `/v1/companies/${company.id}`);
  assert.deepEqual(Company.parse(body), body);
  assert.deepEqual([body.id, body.name], [company.id, "Acme"]);
  assert.deepEqual((await ada.call("GET", "/v1/me")).body.company, body);
  const settings = await ada.call("GET", `/v1/companies/${company.id}/settings`);
  assert.deepEqual(CompanySettings.parse(settings.body), settings.body);
  assert.deepEqual(settings.body, body.settings);
  for (
    const [method, end] of [["GET", ""], ["GET", "/settings"], ["PUT", ""], ["PUT", "/settings"], [
      "DELETE",
      "",
    ]]
  ) {
    const body = method === "PUT" ? {} : undefined;
    assert.equal((await company.admin.call(method!, `/v1/companies/${other.id}${end}`, body)).status, 404);
  }
});

Deno.test("only admins update and delete a company and its settings", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team({ group_id: await company.group() });
  for (const type of ["group_admin", "team_admin", "user"] as const) {
    const actor = await company.user({ type, teams: [team] });
    for (const [method, end] of [["PUT", ""], ["PUT", "/settings"], ["DELETE", ""]]) {
      const body = method === "PUT" ? {} : undefined;
      assert.equal((await actor.call(method!, `/v1/companies/${company.id}${end}`, body)).status, 403);
    }
  }
});

Deno.test("updating a company keeps absent fields, and null clears", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const path = `/v1/companies/${id}`;
  app.clock.move(60_000);
  const full = await admin.call("PUT", path, {
    name: "Nordlicht",
    billing: { invoice_email: "bills@example.org", address_1: "Hof 1", city: "Hamburg", country: "DE" },
    phone_number: "040 123456",
    website: "https://example.org",
    vat: "DE1",
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
    language: "de",
    currency: "CHF",
  });
  assert.equal(full.status, 200, full.text);
  assert.deepEqual(Company.parse(full.body), full.body);
  const { body } = full;
  assert.deepEqual(
    [body.name, body.billing.city, body.billing.country.code, body.timezone.name, body.locale.code],
    ["Nordlicht", "Hamburg", "DE", "Europe/Berlin", "de-DE"],
  );
  assert.deepEqual([body.created_at, body.updated_at], ["2026-03-02 09:00:00", "2026-03-02 09:01:00"]);
  assert.deepEqual((await admin.call("PUT", path, {})).body, body);
  const part = await admin.call("PUT", path, { billing: { city: null }, timezone: {}, vat: null });
  assert.deepEqual(part.body, { ...body, vat: null, billing: { ...body.billing, city: null } });
  const cleared = await admin.call("PUT", path, {
    billing: null,
    phone_number: null,
    website: null,
    timezone: null,
    locale: { code: null },
    language: null,
    currency: null,
  });
  assert.deepEqual(
    [
      cleared.body.timezone.name,
      cleared.body.locale.code,
      cleared.body.language.code,
      cleared.body.currency.code,
    ],
    ["UTC", "en-GB", "en", "EUR"],
  );
  assert.deepEqual(new Set(Object.values(cleared.body.billing)), new Set([null]));
  assert.deepEqual([cleared.body.phone_number, cleared.body.website, cleared.body.name], [
    null,
    null,
    "Nordlicht",
  ]);
  assert.equal((await admin.call("GET", path)).text, cleared.text);
  assert.deepEqual(await app.sql("select * from outbox"), []);
});

Deno.test("errors of a company update name field and rule", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  for (
    const [body, path, code] of [
      [{ name: null }, "name", "required"],
      [{ name: "" }, "name", "min"],
      [{ name: "n".repeat(101) }, "name", "max"],
      [{ billing: { address_1: "a".repeat(101) } }, "billing.address_1", "max"],
      [{ billing: { address_2: "a".repeat(101) } }, "billing.address_2", "max"],
      [{ billing: { zip_code: "z".repeat(17) } }, "billing.zip_code", "max"],
      [{ billing: { city: "c".repeat(61) } }, "billing.city", "max"],
      [{ billing: { state: "s".repeat(61) } }, "billing.state", "max"],
      [{ billing: { country: "XX" } }, "billing.country", "enum"],
      [{ billing: { invoice_email: "nobody" } }, "billing.invoice_email", "format"],
      [{ phone_number: "1".repeat(256) }, "phone_number", "max"],
      [{ website: "no url" }, "website", "format"],
      [{ vat: "v".repeat(17) }, "vat", "max"],
      [{ timezone: { name: "CEST" } }, "timezone.name", "enum"],
      [{ locale: { code: "de" } }, "locale.code", "enum"],
      [{ language: "xx" }, "language", "enum"],
      [{ currency: "eur" }, "currency", "enum"],
    ] as const
  ) assert.deepEqual(faults(await admin.call("PUT", `/v1/companies/${id}`, body)), [[path, code]]);
});

Deno.test("updating settings keeps absent ones, and null resets to the defaults", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Home" }],
  });
  const path = `/v1/companies/${id}/settings`;
  const initial = (await admin.call("GET", path)).body;
  const set = await admin.call("PUT", path, {
    theme: "blue",
    product: { mode: "simple" },
    default_account_id: account.body.id.toUpperCase(),
    teams_can_create_relations_paths: true,
    groups_can_create_relations_paths: true,
    use_social_lookup: false,
    support: true,
    b2c: { allow: false },
  });
  assert.equal(set.status, 200, set.text);
  assert.deepEqual(set.body, {
    ...initial,
    theme: "blue",
    product: { mode: "simple" },
    default_account_id: account.body.id,
    teams_can_create_relations_paths: true,
    groups_can_create_relations_paths: true,
  });
  assert.deepEqual((await admin.call("PUT", path, { product: {} })).body, set.body);
  assert.deepEqual((await admin.call("GET", path)).text, set.text);
  const cleared = await admin.call("PUT", path, {
    theme: null,
    product: null,
    default_account_id: null,
    teams_can_create_relations_paths: null,
    groups_can_create_relations_paths: null,
  });
  assert.deepEqual(cleared.body, initial);
});

Deno.test("errors of settings name field and rule; the default account belongs to the company", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const other = await app.company("Other");
  const theirs = await other.admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Theirs" }],
  });
  const path = `/v1/companies/${id}/settings`;
  for (
    const [body, at, code] of [
      [{ theme: "pink" }, "theme", "enum"],
      [{ product: { mode: "none" } }, "product.mode", "enum"],
      [{ product: "simple" }, "product", "type"],
      [{ default_account_id: "x" }, "default_account_id", "type"],
      [{ default_account_id: theirs.body.id }, "default_account_id", "exists"],
      [{ teams_can_create_relations_paths: 1 }, "teams_can_create_relations_paths", "type"],
      [{ groups_can_create_relations_paths: "x" }, "groups_can_create_relations_paths", "type"],
      [{ use_social_lookup: true }, "use_social_lookup", "excluded"],
    ] as const
  ) assert.deepEqual(faults(await admin.call("PUT", path, body)), [[at, code]]);
  await app.deps.db.write([{ sql: "update companies set plan_id = 2 where id = ?", args: [id] }]);
  assert.equal((await admin.call("PUT", path, { use_social_lookup: true })).body.use_social_lookup, true);
});

Deno.test("of two concurrent updates with the same version of a company one succeeds", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  for (
    const [end, bodies] of [["", [{ name: "A" }, { name: "B" }]], ["/settings", [{ theme: "red" }, {
      theme: "blue",
    }]]] as const
  ) {
    const path = `/v1/companies/${id}${end}`;
    const match = (await admin.call("GET", path)).headers.get("etag")!;
    const together = createApp({ ...app.deps, db: readTogether(app.deps.db, 2) });
    const replies = await Promise.all(bodies.map((body) =>
      together.fetch(
        new Request(`http://localhost${path}`, {
          method: "PUT",
          headers: {
            "Authorization": `Bearer ${admin.token}`,
            "Content-Type": "application/json",
            "If-Match": match,
          },
          body: JSON.stringify(body),
        }),
      )
    ));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  }
});

Deno.test("deleting a company ends all its tokens and sign-ins at once", async () => {
  await using app = await startApp();
  const trusted = await app.trustedClient();
  const email = "ada@example.org";
  const made = await app.call(trusted, "POST", "/v1/companies", {
    name: "Short",
    user: { first_name: "Ada", last_name: "Byron", email, password: "correct horse" },
  });
  const client = await newClient(app, true);
  const sign = { ...client, grant_type: "password", username: email, password: "correct horse" };
  const first = (await askToken(app, sign)).body;
  const second = (await askToken(app, sign)).body;
  const path = `/v1/companies/${made.body.id}`;
  for (const token of [first.access_token, second.access_token]) {
    assert.equal((await app.call(token, "GET", path)).status, 200);
  }
  const reply = await app.call(first.access_token, "DELETE", path);
  assert.deepEqual([reply.status, reply.text], [204, ""]);
  for (const token of [first.access_token, second.access_token]) {
    assert.equal((await app.call(token, "GET", path)).status, 401);
  }
  const { refresh_token } = second;
  for (const grant of [sign, { ...client, grant_type: "refresh_token", refresh_token }]) {
    const refused = await askToken(app, grant);
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
  }
});

Deno.test("a company that has changed since is not deleted", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const path = `/v1/companies/${id}`;
  const match = { "If-Match": (await admin.call("GET", path)).headers.get("etag")! };
  await admin.call("PUT", path, { name: "Renamed" });
  assert.equal((await admin.call("DELETE", path, undefined, match)).status, 412);
  assert.equal((await admin.call("GET", path)).status, 200);
});

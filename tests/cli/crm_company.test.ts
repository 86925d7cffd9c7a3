import assert from "node:assert/strict";
import { crm } from "../../src/cli/crm.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";

const password = "correct horse battery";

/** Runs `crm company create` for Ada Motors, with more options. */
async function create(app: TestApp, ...options: string[]) {
  const [out, error]: [string[], string[]] = [[], []];
  const args = ["company", "create", "--name", "Ada Motors", "--email", "ada@example.org", "--first-name"];
  const code = await crm([...args, "Ada", "--last-name", "Byron", "--password", ...options], {
    DATABASE_URL: `file:${app.file}`,
    LOG_LEVEL: "off",
  }, {
    out: (line) => out.push(line),
    error: (line) => error.push(line),
    ask: () => Promise.resolve(password),
  });
  return { code, out, error };
}

async function signIn(app: TestApp) {
  const client = await newClient(app, true);
  const { body } = await askToken(app, {
    grant_type: "password",
    ...client,
    username: "ada@example.org",
    password,
  });
  return (method: string, path: string, sent?: Body) => app.call(body.access_token, method, path, sent);
}

Deno.test("company create takes locale, country, currency and time zone; the user has the company's", async () => {
  await using app = await startApp();
  const made = await create(
    app,
    ...["--locale", "de-CH", "--country", "ch", "--currency", "CHF", "--timezone", "Europe/Zurich"],
  );
  assert.deepEqual([made.code, made.error], [0, []]);
  const call = await signIn(app);
  const { body: me } = await call("GET", "/v1/me");
  const { company } = me;
  assert.deepEqual(
    [company.locale.code, company.language.code, company.billing.country.code, company.currency.code],
    ["de-CH", "de", "CH", "CHF"],
  );
  assert.deepEqual(
    [company.timezone.name, me.locale.code, me.timezone.name],
    ["Europe/Zurich", "de-CH", "Europe/Zurich"],
  );
});

Deno.test("a country without a locale is English there, and says how phone numbers are read", async () => {
  await using app = await startApp();
  assert.equal((await create(app, "--country", "DE")).code, 0);
  const { body: { company } } = await (await signIn(app))("GET", "/v1/me");
  assert.deepEqual([company.locale.code, company.language.code], ["en-DE", "en"]);
});

Deno.test("a wrong place names its option and the rule, and makes nothing", async () => {
  await using app = await startApp();
  const cases = [
    [["--locale", "german"], "--locale: Must be a locale of language and country."],
    [["--locale", "xx-DE"], "--locale: Must be a locale of language and country."],
    [["--country", "Germany"], "--country: Must be an ISO 3166-1 alpha-2 country code."],
    [["--currency", "Taler"], "--currency: Must be an ISO 4217 currency code."],
    [["--timezone", "Mars"], "--timezone: Must be the name of an IANA time zone."],
  ] as const;
  for (const [options, error] of cases) {
    const { code, error: shown, out } = await create(app, ...options, "--with-defaults");
    assert.deepEqual([code, shown, out], [1, [error], []], options.join(" "));
  }
  const [rows] = await app.sql(
    "select (select count(*) from companies) c, (select count(*) from teams) t, (select count(*) from lead_types) l",
  );
  assert.deepEqual(rows, { c: 0, t: 0, l: 0 });
});

Deno.test("--with-defaults makes a dealer team, a path of five milestones and a lead type; a lead goes through", async () => {
  await using app = await startApp();
  const made = await create(app, "--with-defaults", "--country", "DE");
  assert.deepEqual([made.code, made.error], [0, []]);
  const call = await signIn(app);
  const { body: me } = await call("GET", "/v1/me");
  assert.deepEqual(
    [me.team.name, me.team.team_type, me.team.locale.code, me.teams.map(({ id }: Body) => id)],
    ["Sales", "dealer", "en-DE", [me.team.id]],
  );
  assert.ok(made.out.includes(`team:     ${me.team.id} (Sales, dealer)`), made.out.join("\n"));
  const { body: types } = await call("GET", "/v1/lead-types");
  assert.deepEqual(types.data.map(({ name }: Body) => name), ["Website enquiry"]);
  const [type] = types.data;
  const { milestones } = type.relations_paths[0].activity_types;
  assert.equal(milestones.length, 5);
  const { body: paths } = await call("GET", "/v1/relations-paths");
  assert.deepEqual(paths.data, type.relations_paths, "the company has this path alone");
  assert.equal((await call("PUT", `/v1/lead-types/${type.id}`, { name: "Website" })).status, 200);

  const lead = await call("POST", "/v1/leads", {
    lead_type_id: type.id,
    team_id: me.team.id,
    lead_source: "website",
    b2c: false,
    account: { fixed_fields: [{ name: "name", value: "Babbage Ltd" }] },
    contact: { fixed_fields: [{ name: "last_name", value: "Babbage" }] },
  });
  assert.equal(lead.status, 201, lead.text);
  const accepted = await call("PUT", `/v1/leads/${lead.body.id}/accept`);
  assert.equal(accepted.status, 200, accepted.text);
  const signed = milestones.find(({ set_status }: Body) => set_status === "closed");
  const path = `/v1/cases/${accepted.body.case_id}`;
  assert.equal((await call("POST", `${path}/activities`, { activity_type_ids: [signed.id] })).status, 201);
  assert.equal((await call("GET", path)).body.status, "closed");
});

Deno.test("crm help shows the options of company create", async () => {
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => lines.push(line),
    error: () => {},
    ask: () => Promise.resolve(""),
  };
  assert.equal(await crm(["help"], {}, terminal), 0);
  const [, shown] = /\n {2}company create ([^\n]+)/.exec(lines.join("\n"))!;
  for (const option of ["locale", "country", "currency", "timezone", "with-defaults"]) {
    assert.ok(shown!.includes(`--${option}`), shown);
  }
});

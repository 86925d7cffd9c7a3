import assert from "node:assert/strict";
import { Team, TeamPage } from "../../src/identity/teams/schema.ts";
import { startApp } from "../support/app.ts";

Deno.test("a team is answered in full, the same by POST, GET, in the list, and in the event", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group("North");
  const sent = {
    name: "Hamburg",
    address_1: "Elbchaussee 1",
    address_2: "Hof",
    zip_code: "22765",
    city: "Hamburg",
    state: "HH",
    phone_number: "040 123456",
    website: "https://example.org",
    vat: "DE123456789",
    team_type: "dealer",
    group_id: group,
  };
  const made = await admin.call("POST", "/v1/teams", {
    ...sent,
    country: "DE",
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
    custom_fields: [],
    use_social_lookup: false,
  });
  assert.equal(made.status, 201, made.text);
  const team = made.body;
  assert.deepEqual(Team.parse(team), team);
  for (const [key, value] of Object.entries(sent)) assert.equal(team[key], value, key);
  assert.deepEqual(team.country, { name: "Germany", native_name: "Deutschland", code: "DE" });
  assert.deepEqual([team.timezone, team.locale.code], [{ name: "Europe/Berlin", offset: 3600 }, "de-DE"]);
  assert.deepEqual([team.formatted_phone_number, team.group.name], ["+49 40 123456", "North"]);
  assert.deepEqual([team.use_social_lookup, team.custom_fields], [false, []]);
  assert.equal((await admin.call("GET", `/v1/teams/${team.id}`)).text, made.text);
  const { body: list } = await admin.call("GET", "/v1/teams");
  assert.deepEqual(TeamPage.parse(list), list);
  assert.deepEqual(list.data, [team]);
  const events = await app.sql("select event_name, entity_id, executor_id, body from outbox");
  assert.equal(events.length, 1);
  const [event] = events;
  assert.deepEqual([event!.event_name, event!.entity_id, event!.executor_id], [
    "team_created",
    `${team.id}`,
    admin.id,
  ]);
  assert.deepEqual(JSON.parse(event!.body as string), team);
});

Deno.test("a team with nothing but a name takes time zone and locale from the company", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await app.deps.db.write([{
    sql: "update companies set timezone = 'Asia/Tokyo', locale = 'ja-JP'",
    args: [],
  }]);
  const { body } = await admin.call("POST", "/v1/teams", { name: "Tokyo", group_id: null, timezone: null });
  assert.deepEqual([body.timezone.name, body.locale.code], ["Asia/Tokyo", "ja-JP"]);
  assert.deepEqual([body.group, body.group_id, body.team_type, body.country], [null, null, null, null]);
  assert.deepEqual([body.address_1, body.formatted_phone_number, body.vat], [null, null, null]);
});

Deno.test("faults of a new team name the field and the rule", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await app.company("Other");
  const foreign = await other.group();
  const cases: [object, string, string][] = [
    [{}, "name", "required"],
    [{ name: "" }, "name", "min"],
    [{ name: "n".repeat(256) }, "name", "max"],
    [{ name: "x", address_1: "a".repeat(101) }, "address_1", "max"],
    [{ name: "x", address_2: "a".repeat(101) }, "address_2", "max"],
    [{ name: "x", zip_code: "z".repeat(17) }, "zip_code", "max"],
    [{ name: "x", city: "c".repeat(61) }, "city", "max"],
    [{ name: "x", state: "s".repeat(61) }, "state", "max"],
    [{ name: "x", country: "de" }, "country", "enum"],
    [{ name: "x", phone_number: "1".repeat(256) }, "phone_number", "max"],
    [{ name: "x", website: "no url" }, "website", "format"],
    [{ name: "x", vat: "v".repeat(17) }, "vat", "max"],
    [{ name: "x", timezone: { name: "CEST" } }, "timezone.name", "enum"],
    [{ name: "x", locale: "de-DE" }, "locale", "type"],
    [{ name: "x", team_type: "shop" }, "team_type", "enum"],
    [{ name: "x", group_id: foreign }, "group_id", "exists"],
    [{ name: "x", group_id: "1" }, "group_id", "type"],
    [{ name: "x", use_social_lookup: true }, "use_social_lookup", "excluded"],
    [{ name: "x", custom_fields: [{ name: "size", value: 1 }] }, "custom_fields[0].name", "unknown_field"],
    [
      { name: "x", custom_fields: [{ id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001", value: 1 }] },
      "custom_fields[0].id",
      "exists",
    ],
    [{ name: "x", custom_fields: [{ id: 7, value: 1 }] }, "custom_fields[0].id", "type"],
    [{ name: "x", custom_fields: [7] }, "custom_fields[0]", "type"],
  ];
  for (const [body, path, code] of cases) {
    const reply = await admin.call("POST", "/v1/teams", body);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [[path, code]],
    );
  }
  assert.deepEqual(await app.sql("select count(*) as n from teams"), [{ n: 0 }]);
});

Deno.test("social lookup is for companies on the premium plan", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  await app.deps.db.write([{ sql: "update companies set plan_id = 2 where id = ?", args: [id] }]);
  const { status, body } = await admin.call("POST", "/v1/teams", { name: "x", use_social_lookup: true });
  assert.deepEqual([status, body.use_social_lookup], [201, true]);
});

Deno.test("teams are made by admins, and by group admins in own groups", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [own, foreign] = [await company.group("own"), await company.group("foreign")];
  const teams = [await company.team({ group_id: own })];
  const bodies = {
    none: { name: "x" },
    own: { name: "x", group_id: own },
    foreign: { name: "x", group_id: foreign },
  };
  const actors = {
    admin: company.admin,
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    user: await company.user({ teams }),
  };
  const allowed: Record<string, string[]> = {
    admin: ["none", "own", "foreign"],
    group_admin: ["own"],
    team_admin: [],
    user: [],
  };
  for (const [type, actor] of Object.entries(actors)) {
    for (const [what, body] of Object.entries(bodies)) {
      const { status } = await actor.call("POST", "/v1/teams", body);
      assert.equal(status, allowed[type]!.includes(what) ? 201 : 403, `${type} ${what}`);
    }
  }
});

Deno.test("the list pages, newest first, and finds by name and groups", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const ids: number[] = [];
  for (const [name, group_id] of [["Köln Süd", group], ["Koln Nord", null], ["Berlin", null]] as const) {
    app.clock.move(1000);
    ids.push((await admin.call("POST", "/v1/teams", { name, group_id })).body.id);
  }
  const found = async (query: string) => {
    const { body } = await admin.call("GET", `/v1/teams?${query}`);
    assert.equal(body.pagination.total, body.data.length, query);
    return body.data.map((team: { id: number }) => team.id);
  };
  const [south, north, berlin] = ids;
  assert.deepEqual(await found(""), [berlin, north, south]);
  assert.deepEqual(await found("sort=created_at"), [south, north, berlin]);
  assert.deepEqual(await found("search=KOLN"), [north, south]);
  assert.deepEqual(await found("search=kol%20su"), [south]);
  assert.deepEqual(await found(`groups=${group}`), [south]);
  assert.deepEqual(await found(`groups=${group}&search=nord`), []);
  assert.deepEqual(await found("groups=999999"), []);
  const { body: page } = await admin.call("GET", "/v1/teams?per_page=2");
  assert.equal(page.pagination.total, 3);
  const next = await admin.call("GET", page.pagination.urls.next.slice(app.url.length));
  assert.deepEqual(next.body.data.map((team: { id: number }) => team.id), [south]);
});

Deno.test("everybody in a company reads its teams; those of another company do not exist", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const [team, foreign] = [await company.team(), await other.team()];
  const outsider = await company.user();
  assert.equal((await outsider.call("GET", `/v1/teams/${team}`)).status, 200);
  assert.equal((await outsider.call("GET", "/v1/teams")).body.pagination.total, 1);
  for (const id of [foreign, 999999, "x", 0]) {
    assert.equal((await company.admin.call("GET", `/v1/teams/${id}`)).status, 404, `${id}`);
  }
});

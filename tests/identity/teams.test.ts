import assert from "node:assert/strict";
import { Team } from "../../src/identity/teams/record.ts";
import { TeamPage } from "../../src/identity/teams/schema.ts";
import { startApp } from "../support/app.ts";

Deno.test("a team has all fields, the same by POST, GET, in the list and in the event", async () => {
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

Deno.test("a team with a name only takes time zone and locale from the company", async () => {
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

Deno.test("errors of a new team name field and rule", async () => {
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
    [{ name: "x", custom_fields: [{ id: "size", value: 1 }] }, "custom_fields[0].id", "type"],
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

Deno.test("social lookup requires the premium plan", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  await app.deps.db.write([{ sql: "update companies set plan_id = 2 where id = ?", args: [id] }]);
  const { status, body } = await admin.call("POST", "/v1/teams", { name: "x", use_social_lookup: true });
  assert.deepEqual([status, body.use_social_lookup], [201, true]);
});

Deno.test("admins, and group admins in their groups, create teams", async () => {
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

Deno.test("the list pages, newest first, and searches by name and groups", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const ids: number[] = [];
  for (const [name, group_id] of [["Köln Süd", group], ["Koln Nord", null], ["Berlin", null]] as const) {
    app.clock.move(1000);
    ids.push((await admin.call("POST", "/v1/teams", { name, group_id })).body.id);
  }
  const listIds = async (query: string) => {
    const { body } = await admin.call("GET", `/v1/teams?${query}`);
    assert.equal(body.pagination.total, body.data.length, query);
    return body.data.map((team: { id: number }) => team.id);
  };
  const [south, north, berlin] = ids;
  assert.deepEqual(await listIds(""), [berlin, north, south]);
  assert.deepEqual(await listIds("sort=created_at"), [south, north, berlin]);
  assert.deepEqual(await listIds("search=KOLN"), [north, south]);
  assert.deepEqual(await listIds("search=kol%20su"), [south]);
  assert.deepEqual(await listIds(`groups=${group}`), [south]);
  assert.deepEqual(await listIds(`groups=${group}&search=nord`), []);
  assert.deepEqual(await listIds("groups=999999"), []);
  const { body: page } = await admin.call("GET", "/v1/teams?per_page=2");
  assert.equal(page.pagination.total, 3);
  const next = await admin.call("GET", page.pagination.urls.next.slice(app.url.length));
  assert.deepEqual(next.body.data.map((team: { id: number }) => team.id), [south]);
});

Deno.test("all users of a company read its teams; those of another company are 404", async () => {
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

Deno.test("an updated team keeps absent fields; null clears, or resets to the company's value", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [north, south] = [await company.group("North"), await company.group("South")];
  const made = await admin.call("POST", "/v1/teams", {
    name: "Hamburg",
    city: "Hamburg",
    country: "DE",
    team_type: "dealer",
    group_id: north,
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
  });
  const path = `/v1/teams/${made.body.id}`;
  app.clock.move(60_000);
  const part = await admin.call("PUT", path, { name: "Kiel", city: null, timezone: {}, group_id: south });
  assert.equal(part.status, 200, part.text);
  assert.deepEqual(part.body, {
    ...made.body,
    name: "Kiel",
    city: null,
    group_id: south,
    group: part.body.group,
    updated_at: "2026-03-02 09:01:00",
  });
  assert.deepEqual([part.body.group.id, part.body.group.name], [south, "South"]);
  assert.equal((await admin.call("GET", path)).text, part.text);
  const countFound = async (name: string) =>
    (await admin.call("GET", `/v1/teams?search=${name}`)).body.data.length;
  assert.deepEqual([await countFound("kiel"), await countFound("hamburg")], [1, 0]);
  const [event] = await app.sql("select event_name, body from outbox order by sequence desc limit 1");
  assert.equal(event!.event_name, "team_updated");
  assert.deepEqual(JSON.parse(event!.body as string), part.body);
  const { body } = await admin.call("PUT", path, {
    country: null,
    team_type: null,
    group_id: null,
    timezone: null,
    locale: { code: null },
    use_social_lookup: null,
  });
  assert.deepEqual(
    [body.country, body.team_type, body.group, body.timezone.name, body.locale.code, body.use_social_lookup],
    [null, null, null, "UTC", "en-GB", false],
  );
});

Deno.test("errors of an updated team name field and rule", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await (await app.company("Other")).group();
  const path = `/v1/teams/${await company.team()}`;
  for (
    const [body, at, code] of [
      [{ name: null }, "name", "required"],
      [{ name: "" }, "name", "min"],
      [{ name: "n".repeat(256) }, "name", "max"],
      [{ zip_code: "z".repeat(17) }, "zip_code", "max"],
      [{ country: "de" }, "country", "enum"],
      [{ website: "no url" }, "website", "format"],
      [{ timezone: { name: "CEST" } }, "timezone.name", "enum"],
      [{ team_type: "shop" }, "team_type", "enum"],
      [{ group_id: foreign }, "group_id", "exists"],
      [{ use_social_lookup: true }, "use_social_lookup", "excluded"],
      [{ custom_fields: [{ name: "size", value: 1 }] }, "custom_fields[0].name", "unknown_field"],
    ] as const
  ) {
    const reply = await company.admin.call("PUT", path, body);
    assert.deepEqual([reply.status, reply.body.errors?.[0]?.path, reply.body.errors?.[0]?.code], [
      422,
      at,
      code,
    ]);
  }
});

Deno.test("admins update all teams, group admins those of their groups, team admins their own", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [group, other] = [await company.group(), await company.group()];
  const mine = await company.team({ group_id: group });
  const near = await company.team({ group_id: group });
  const far = await company.team({ group_id: other });
  const teams = [mine];
  const actors = {
    admin: company.admin,
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    user: await company.user({ teams }),
  };
  const allowed: Record<string, number[]> = {
    admin: [mine, near, far],
    group_admin: [mine, near],
    team_admin: [mine],
    user: [],
  };
  for (const [type, actor] of Object.entries(actors)) {
    for (const team of [mine, near, far]) {
      const { status } = await actor.call("PUT", `/v1/teams/${team}`, { city: type });
      assert.equal(status, allowed[type]!.includes(team) ? 200 : 403, `${type} ${team}`);
    }
  }
  // Only an admin moves a team; repeating its group moves nothing.
  for (const actor of [actors.group_admin, actors.team_admin]) {
    const put = async (group_id: number | null) =>
      (await actor.call("PUT", `/v1/teams/${mine}`, { group_id })).status;
    assert.deepEqual([await put(group), await put(other), await put(null)], [200, 403, 403]);
  }
});

Deno.test("changing a team's group applies with the next call, and changes the group's version", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [north, south] = [await company.team({ group_id: group }), await company.team()];
  const ada = await company.user({ teams: [south] });
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: north,
    fixed_fields: [{ name: "name", value: "Shared" }],
  });
  const readStatus = async () => (await ada.call("GET", `/v1/accounts/${account.body.id}`)).status;
  assert.equal(await readStatus(), 404);
  const version = async () => (await app.sql("select version from groups where id = ?", group))[0]!.version;
  const before = await version();
  assert.equal((await admin.call("PUT", `/v1/teams/${south}`, { group_id: group })).status, 200);
  assert.equal(await readStatus(), 200);
  assert.notEqual(await version(), before);
  const path = `/v1/teams/${south}`;
  const match = { "If-Match": (await admin.call("GET", path)).headers.get("etag")! };
  assert.equal((await admin.call("PUT", path, { group_id: null }, match)).status, 200);
  assert.equal(await readStatus(), 404);
  assert.equal((await admin.call("PUT", path, { city: "x" }, match)).status, 412);
});

import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

const makeNamed = (name: string, more: object = {}) => ({
  fixed_fields: [{ name: "name", value: name }],
  ...more,
});
const getField = (record: { fixed_fields: { name: string; value: unknown }[] }, name: string) =>
  record.fixed_fields.find((field) => field.name === name)?.value;

Deno.test("an account is answered as it was sent, with every fixed field and its options", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/accounts", {
    b2c: false,
    external_id: "erp-1",
    fixed_fields: [{ name: "name", value: "Müller & Söhne" }, { id: 6, value: { id: "DE" } }, {
      name: "website",
      value: "https://example.org",
    }],
  });
  assert.equal(made.status, 201);
  assert.equal(made.body.external_id, "erp-1");
  assert.equal(getField(made.body, "name"), "Müller & Söhne");
  assert.deepEqual(getField(made.body, "country"), { id: "DE", value: "Germany" });
  assert.equal(getField(made.body, "city"), null);
  assert.equal(made.body.fixed_fields[5].options.length, 249);
  assert.equal(made.body.created_at, "2026-03-02 09:00:00");
  const got = await admin.call("GET", `/v1/accounts/${made.body.id}`);
  assert.equal(got.text, made.text);
  assert.equal(got.headers.get("etag"), made.headers.get("etag"));
});

Deno.test("a name sent beside fixed_fields is answered with the form of fixed_fields", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("POST", "/v1/accounts", { name: "Ada" });
  const { message } = body.errors[0];
  assert.equal(
    message,
    'An account needs a name. Example: {"fixed_fields": [{"name": "name", "value": "Ada Ltd"}]}.',
  );
  const example = JSON.parse(message.slice(message.indexOf("{"), -1));
  assert.equal((await admin.call("POST", "/v1/accounts", example)).status, 201);
});

Deno.test("field faults name the field and the rule, and change nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const faults: [unknown, string, string][] = [
    [{}, "fixed_fields", "required"],
    [makeNamed("x", { user_id: 999_999 }), "user_id", "exists"],
    [makeNamed("x", { team_id: 999_999 }), "team_id", "exists"],
    [makeNamed("x", { team_id: "7" }), "team_id", "type"],
    [makeNamed("x", { b2c: "yes" }), "b2c", "type"],
    [makeNamed("x", { external_id: "" }), "external_id", "min"],
    [makeNamed("x", { external_id: "e".repeat(256) }), "external_id", "max"],
    [makeNamed("x", { created_at: "2026-02-30 10:00:00" }), "created_at", "format"],
    [makeNamed("x", { created_at: "2030-01-01 10:00:00" }), "created_at", "before"],
    [{ fixed_fields: [{ name: "nome", value: "x" }] }, "fixed_fields[0].name", "unknown_field"],
    [{ fixed_fields: [{ id: 4711, value: "x" }] }, "fixed_fields[0].id", "exists"],
    [{ fixed_fields: [{ id: "one", value: "x" }] }, "fixed_fields[0].id", "type"],
    [{ fixed_fields: [{ name: "name", value: 5 }] }, "fixed_fields[0].value", "type"],
    [{ fixed_fields: [{ name: "name", value: "n".repeat(256) }] }, "fixed_fields[0].value", "max"],
    [{ fixed_fields: [{ name: "website", value: "not a url" }] }, "fixed_fields[0].value", "format"],
    [{ fixed_fields: [{ name: "country", value: "XX" }] }, "fixed_fields[0].value", "enum"],
    [{ fixed_fields: "name" }, "fixed_fields", "type"],
    [
      makeNamed("x", { custom_fields: [{ name: "colour", value: "red" }] }),
      "custom_fields[0].name",
      "unknown_field",
    ],
    [[], "", "type"],
  ];
  for (const [body, path, code] of faults) {
    const refused = await admin.call("POST", "/v1/accounts", body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: { path: string }) => error.path === path);
    assert.equal(found?.code, code, `${JSON.stringify(body)} → ${refused.text}`);
  }
  const list = await admin.call("GET", "/v1/accounts");
  assert.equal(list.body.pagination.total, 0);
  assert.deepEqual(await app.sql("select * from outbox"), []);
});

Deno.test("an external id is unique in the company, and free for another company", async () => {
  await using app = await startApp();
  const [one, two] = [await app.company(), await app.company()];
  assert.equal(
    (await one.admin.call("POST", "/v1/accounts", makeNamed("a", { external_id: "e" }))).status,
    201,
  );
  const again = await one.admin.call("POST", "/v1/accounts", makeNamed("b", { external_id: "e" }));
  assert.deepEqual([again.status, again.body.errors[0].code], [422, "unique"]);
  assert.equal(
    (await two.admin.call("POST", "/v1/accounts", makeNamed("c", { external_id: "e" }))).status,
    201,
  );
});

Deno.test("an account is seen by its team, by teams in a group with it, and by admins alone", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const north = await company.team({ group_id: group });
  const south = await company.team({ group_id: group });
  const other = await company.team();
  const [member, friend, stranger] = [
    await company.user({ teams: [north] }),
    await company.user({ teams: [south] }),
    await company.user({ teams: [other] }),
  ];
  const { body: account } = await member.call("POST", "/v1/accounts", makeNamed("North's"));
  assert.equal(account.team_id, north);
  assert.equal(account.user.id, member.id);
  const path = `/v1/accounts/${account.id}`;
  for (
    const [who, status] of [[member, 200], [friend, 200], [company.admin, 200], [stranger, 404]] as const
  ) {
    assert.equal((await who.call("GET", path)).status, status);
    const list = await who.call("GET", "/v1/accounts");
    assert.equal(list.body.pagination.total, status === 200 ? 1 : 0);
    assert.equal(list.body.data.length, status === 200 ? 1 : 0);
  }
  assert.equal((await stranger.call("PUT", path, makeNamed("x"))).status, 404);
});

Deno.test("search finds words by their beginning, without case and accents; every word must match", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await admin.call("POST", "/v1/accounts", makeNamed("Müller Maschinenbau"));
  await admin.call("POST", "/v1/accounts", makeNamed("Mulligan's"));
  const countFound = async (search: string) =>
    (await admin.call("GET", `/v1/accounts?search=${encodeURIComponent(search)}`)).body.pagination.total;
  assert.equal(await countFound("mul"), 2);
  assert.equal(await countFound("MÜL masch"), 1);
  assert.equal(await countFound("ller"), 0);
  const { body } = await admin.call("GET", "/v1/accounts?search=masch");
  await admin.call("PUT", `/v1/accounts/${body.data[0].id}`, makeNamed("Schmidt"));
  assert.equal(await countFound("masch"), 0);
  assert.equal(await countFound("schm"), 1);
  await admin.call("POST", "/v1/accounts", makeNamed("株式会社山田製作所"));
  for (const [search, count] of [["山田", 1], ["製作所", 1], ["山所", 0], ["!?", 0], ["。", 0]] as const) {
    assert.equal(await countFound(search), count, search);
  }
});

Deno.test("a PUT changes what it names, keeps the rest, clears what is null, and sends one event", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/accounts", {
    external_id: "e-1",
    fixed_fields: [{ name: "name", value: "Ada" }, { name: "city", value: "London" }],
  });
  app.clock.move(60_000);
  const changed = await admin.call("PUT", `/v1/accounts/${made.body.id}`, {
    external_id: null,
    fixed_fields: [{ name: "vat", value: "GB1" }],
  });
  assert.equal(changed.status, 200);
  assert.equal(changed.body.external_id, null);
  assert.equal(getField(changed.body, "city"), "London");
  assert.equal(getField(changed.body, "vat"), "GB1");
  assert.equal(changed.body.updated_at, "2026-03-02 09:01:00");
  assert.equal((await admin.call("GET", `/v1/accounts/${made.body.id}`)).text, changed.text);
  const events = await app.sql("select event_name, sequence, body from outbox order by sequence");
  assert.deepEqual(events.map((event) => [event.event_name, event.sequence]), [["account_created", 1], [
    "account_updated",
    2,
  ]]);
  assert.equal(events[1]!.body, changed.text);
});

Deno.test("lists page without repeating or losing a row, by offset and by urls.next, in every order", async () => {
  await using app = await startApp();
  const company = await app.company();
  const teams = [await company.team(), await company.team()];
  const member = await company.user({ teams });
  for (let index = 0; index < 23; index++) {
    if (index % 5 === 0) app.clock.move(1000);
    const team_id = index % 3 === 0 ? null : teams[index % 2];
    await company.admin.call("POST", "/v1/accounts", makeNamed(`A${index % 4}`, { team_id }));
  }
  for (const sort of ["-last_activity_at", "created_at", "-updated_at", "name", "-name"]) {
    for (const who of [company.admin, member]) {
      const shown: string[] = [];
      let next: string | null = `${app.url}/v1/accounts?per_page=4&sort=${sort}`;
      while (next !== null) {
        const { body } = await who.call("GET", next.slice(app.url.length));
        assert.equal(body.pagination.total, 23);
        shown.push(...body.data.map((account: { id: string }) => account.id));
        next = body.pagination.urls.next;
      }
      assert.equal(new Set(shown).size, 23);
      assert.equal(shown.length, 23);
      const third = await who.call("GET", `/v1/accounts?per_page=4&sort=${sort}&page=3`);
      assert.deepEqual(third.body.data.map((account: { id: string }) => account.id), shown.slice(8, 12));
      assert.match(third.body.pagination.urls.previous, /page=2/);
    }
  }
});

Deno.test("the user of a changed account is in its team or in a team of its group, else 422", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const north = await company.team({ group_id: group });
  const south = await company.team({ group_id: group });
  const other = await company.team();
  const member = await company.user({ teams: [north] });
  const friend = await company.user({ teams: [south] });
  const stranger = await company.user({ teams: [other] });
  const { body: account } = await member.call("POST", "/v1/accounts", makeNamed("North's"));
  const path = `/v1/accounts/${account.id}`;
  const assertRefused = async (body: object) => {
    const reply = await company.admin.call("PUT", path, body);
    assert.equal(reply.status, 422, JSON.stringify(body));
    assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], ["user_id", "exists"]);
  };
  await assertRefused({ user_id: stranger.id });
  await assertRefused({ user_id: friend.id, team_id: other });
  assert.equal((await member.call("PUT", path, { user_id: friend.id })).body.user.id, friend.id);
  const moved = await company.admin.call("PUT", path, { user_id: stranger.id, team_id: other });
  assert.deepEqual([moved.body.user.id, moved.body.team_id], [stranger.id, other]);
  const shared = await company.admin.call("PUT", path, { user_id: friend.id, team_id: null });
  assert.deepEqual([shared.body.user.id, shared.body.team_id], [friend.id, null]);
});

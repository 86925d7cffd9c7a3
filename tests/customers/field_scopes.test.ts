import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { stripFields } from "../../src/delivery/webhooks/hidden_fields.ts";
import { listFaults, nameValues, newAccount, newField, readCustom } from "./fields_world.ts";

Deno.test("only members and admins see and write a field of a team or group, also on shared records", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const group = await company.group();
  const [mine, near, far] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const who = {
    mine: await company.user({ teams: [mine] }),
    near: await company.user({ teams: [near] }),
    far: await company.user({ teams: [far] }),
  };
  await newField(admin, { label: "Everybody" });
  const ofTeam = await newField(admin, { label: "Team", team_id: mine });
  const ofGroup = await newField(admin, { label: "Group", group_id: group });
  const account = await newAccount(admin, { everybody: "e", team: "t", group: "g" }, { team_id: null });
  const listSeenFields = async (actor: Actor) =>
    Object.keys(readCustom((await actor.call("GET", `/v1/accounts/${account.id}`)).body));
  const expected = {
    mine: ["everybody", "team", "group"],
    near: ["everybody", "group"],
    far: ["everybody"],
  };
  for (const [name, actor] of Object.entries(who)) {
    const names = expected[name as keyof typeof expected];
    assert.deepEqual(await listSeenFields(actor), names, name);
    const listed = (await actor.call("GET", "/v1/accounts")).body.data[0];
    assert.deepEqual(Object.keys(readCustom(listed)), names, name);
    const definitions = (await actor.call("GET", "/v1/fields/account")).body.data;
    assert.deepEqual(definitions.map((field: { name: string }) => field.name), names, name);
    const order = (await actor.call("GET", "/v1/fields/account/sort")).body.data;
    assert.equal(order.filter(({ type }: { type: string }) => type === "field").length, names.length, name);
    for (const [field, label] of [[ofTeam, "team"], [ofGroup, "group"]] as const) {
      const visible = names.includes(label);
      assert.equal((await actor.call("GET", `/v1/fields/account/${field.id}`)).status, visible ? 200 : 404);
      const put = await actor.call("PUT", `/v1/accounts/${account.id}`, {
        custom_fields: [{ id: field.id, value: `by ${name}` }],
      });
      if (visible) assert.equal(put.status, 200, put.text);
      else assert.deepEqual(listFaults(put), [["custom_fields[0].id", "exists"]]);
    }
  }
  // A change by a user who does not see a value leaves this value as it is.
  await who.far.call("PUT", `/v1/accounts/${account.id}`, { custom_fields: nameValues({ everybody: "f" }) });
  assert.deepEqual(readCustom((await admin.call("GET", `/v1/accounts/${account.id}`)).body), {
    everybody: "f",
    team: "by mine",
    group: "by near",
  });
});

Deno.test("admins create fields of the company, group admins of own groups, team admins of own teams, users none", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const group = await company.group();
  const [team, other] = [await company.team({ group_id: group }), await company.team()];
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const groupAdmin = await company.user({ type: "group_admin", teams: [team] });
  const user = await company.user({ teams: [team] });
  const make = (actor: Actor, more: object = {}) =>
    actor.call("POST", "/v1/fields/account", { label: "x", type: "text", ...more });
  const owner = async (actor: Actor, more: object = {}) => {
    const { team_id, group_id } = (await make(actor, more)).body;
    return [team_id, group_id];
  };
  assert.deepEqual(await owner(admin), [null, null]);
  assert.deepEqual(await owner(teamAdmin), [team, null]);
  assert.deepEqual(await owner(groupAdmin), [null, group]);
  assert.deepEqual(await owner(groupAdmin, { team_id: team }), [team, null]);
  assert.equal((await make(user)).status, 403);
  assert.deepEqual(listFaults(await make(teamAdmin, { team_id: other })), [["team_id", "exists"]]);
  assert.deepEqual(listFaults(await make(teamAdmin, { group_id: group })), [["group_id", "exists"]]);
});

Deno.test("the field order of a team precedes that of its group, which precedes the company's", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const group = await company.group();
  const [one, two] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const [inOne, inTwo, outside] = [
    await company.user({ teams: [one] }),
    await company.user({ teams: [two] }),
    await company.user(),
  ];
  const set = async (value: string, more: object = {}) =>
    assert.equal(
      (await admin.call("PUT", "/v1/fields/account/sort", { sort: [{ type: "property", value }], ...more }))
        .status,
      200,
    );
  await set("website", { team_id: one });
  await set("vat", { group_id: group });
  await set("city");
  const account = await newAccount(admin, {}, { team_id: null });
  const first = async (actor: Actor) =>
    (await actor.call("GET", `/v1/accounts/${account.id}`)).body.fixed_fields[0].name;
  assert.deepEqual([await first(inOne), await first(inTwo), await first(outside)], [
    "website",
    "vat",
    "city",
  ]);
});

Deno.test("the body of an event equals, byte by byte, what GET showed its subscriber when it happened", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const group_id = await company.group();
  const [team, beside] = [await company.team({ group_id }), await company.team({ group_id })];
  const subscriber = (teams: number[]) => company.user({ teams, rights: ["webhooks.manage"] });
  const who = {
    member: await subscriber([team]),
    near: await subscriber([beside]),
    other: await subscriber([await company.team()]),
  };
  await newField(admin, { label: "Plain" });
  await newField(admin, { label: "Kept", team_id: team, type: "single_choice" }, ["Größe {1}", 'a "b" \\ }']);
  await newField(admin, { label: "Group's", group_id });
  await newField(admin, { label: "Last", team_id: team });
  const heard = new Map<string, string[]>();
  await using listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      heard.set(pathname, [...heard.get(pathname) ?? [], await request.text()]);
      return new Response();
    },
  );
  for (const [name, actor] of Object.entries(who)) {
    const target_url = `http://127.0.0.1:${listener.addr.port}/${name}`;
    const made = await actor.call("POST", "/v1/webhooks", { target_url, webhook_event: "*" });
    assert.equal(made.status, 201, made.text);
  }
  const options = (await admin.call("GET", "/v1/fields/account")).body.data[1].options;
  const account = await newAccount(admin, { plain: "p", kept: options[1].id, group_s: "g", last: "l" }, {
    team_id: null,
  });
  await app.idle();
  for (const [name, actor] of Object.entries(who)) {
    const { text } = await actor.call("GET", `/v1/accounts/${account.id}`);
    assert.deepEqual(heard.get(`/${name}`), [text], name);
  }
});

Deno.test("removing fields from a body keeps every other byte, at each position in the list", () => {
  const item = (id: string, value: string) => `{"id":"${id}","type":"text","value":${JSON.stringify(value)}}`;
  const [a, b, c] = [item("a", "x"), item("b", 'y"}],\\'), item("c", "z")];
  const body = (...items: string[]) =>
    `{"n":1.0,"custom_fields":[${items}],"more":{"custom_fields":[${items}]}}`;
  const cases: [string[], string[]][] = [
    [["a"], [b, c]],
    [["b"], [a, c]],
    [["c"], [a, b]],
    [["a", "c"], [b]],
    [["c", "b", "a"], []],
    [["d"], [a, b, c]],
  ];
  for (const [hidden, left] of cases) {
    assert.equal(stripFields(body(a, b, c), JSON.stringify(hidden)), body(...left));
  }
  assert.equal(stripFields(body(a), null), body(a));
});

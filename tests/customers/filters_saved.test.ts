import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { newField } from "./fields_world.ts";
import { createAccount, createContact, expandFilter, make } from "./filters_world.ts";

const filter = expandFilter([{ or: [["contact.status", "eq", "lead"]] }, [
  "contact.created_at",
  "gt",
  "NOW-1d",
]]);

Deno.test("a saved filter is returned as it was sent, and listed without its conditions, newest first", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const given = [...filter, { field: "contact.b2c", operator: "eq", value: true, note: "ignored" }];
  const made = await make(admin, "/v1/contacts/filters", { name: "Leads", filter: given });
  assert.deepEqual(Object.keys(made), ["id", "name", "filter", "stopped_reason", "created_at", "updated_at"]);
  assert.deepEqual(made.filter, [...filter, { field: "contact.b2c", operator: "eq", value: true }]);
  const { headers, body } = await admin.call("GET", `/v1/contacts/filters/${made.id}`);
  assert.deepEqual(body, made);
  app.clock.move(1000);
  const second = await make(admin, "/v1/contacts/filters", { name: "All", filter: [] });
  const { body: listed } = await admin.call("GET", "/v1/contacts/filters");
  const { filter: _filter, ...entry } = made;
  assert.deepEqual([listed.pagination.total, listed.data[0].id, listed.data[1]], [2, second.id, entry]);
  const path = `/v1/contacts/filters/${made.id}`;
  const changed = await admin.call("PUT", path, { name: "New" }, { "If-Match": headers.get("etag")! });
  assert.deepEqual([changed.status, changed.body.name, changed.body.filter], [200, "New", made.filter]);
  assert.equal(changed.body.updated_at, "2026-03-02 09:00:01");
  for (const method of ["PUT", "DELETE"]) {
    const late = await admin.call(method, path, { name: "x" }, { "If-Match": headers.get("etag")! });
    assert.equal(late.status, 412);
  }
  assert.equal((await admin.call("PUT", path, { filter: [] })).body.filter.length, 0);
  assert.equal((await admin.call("DELETE", path)).status, 204);
  assert.equal((await admin.call("GET", path)).status, 404);
});

Deno.test("a saved filter has a name of 1 to 255 characters and a filter that is validated when it is saved", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await make(admin, "/v1/contacts/filters", { name: "x".repeat(255), filter });
  const faults = async (method: string, path: string, body: object) => {
    const reply = await admin.call(method, path, body);
    assert.equal(reply.status, 422, reply.text);
    return reply.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
  };
  const path = "/v1/contacts/filters";
  assert.deepEqual(await faults("POST", path, { filter }), ["name required"]);
  assert.deepEqual(await faults("POST", path, { name: "", filter }), ["name min"]);
  assert.deepEqual(await faults("POST", path, { name: "x".repeat(256), filter }), ["name max"]);
  assert.deepEqual(await faults("POST", path, { name: "x" }), ["filter required"]);
  const wrong = expandFilter([{ or: [["contact.status", "eq", "x"]] }]);
  assert.deepEqual(await faults("POST", path, { name: "x", filter: wrong }), ["filter[0].or[0].value enum"]);
  assert.deepEqual(await faults("PUT", `${path}/${made.id}`, { filter: wrong }), [
    "filter[0].or[0].value enum",
  ]);
  assert.deepEqual(await faults("PUT", `${path}/${made.id}`, { filter: null }), ["filter required"]);
  assert.deepEqual(await faults("PUT", `${path}/${made.id}`, { name: null }), ["name required"]);
});

Deno.test("its owner's team, their group and admins see and change a saved filter, for one kind of record", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const group_id = await crm.group();
  const [north, near, south] = [await crm.team({ group_id }), await crm.team({ group_id }), await crm.team()];
  const member = (team: number) => crm.user({ teams: [team] });
  const [maker, neighbour, stranger] = [await member(north), await member(near), await member(south)];
  const made = await make(maker, "/v1/contacts/filters", { name: "Ours", filter });
  const shared = await make(await crm.user(), "/v1/contacts/filters", { name: "Everybody's", filter });
  const path = `/v1/contacts/filters/${made.id}`;
  const other = (await app.company()).admin;
  for (
    const [actor, status] of [[neighbour, 200], [crm.admin, 200], [stranger, 404], [other, 404]] as const
  ) {
    assert.equal((await actor.call("GET", path)).status, status);
    assert.equal((await actor.call("PUT", path, { name: "Ours" })).status, status);
    const list = await actor.call("GET", `/v1/contacts?filter_id=${made.id}`);
    assert.equal(list.status, status === 200 ? 200 : 422);
    if (status === 404) assert.deepEqual(list.body.errors[0].path, "query.filter_id");
    if (status === 404) assert.deepEqual(list.body.errors[0].code, "exists");
  }
  const names = async (actor: typeof maker) =>
    (await actor.call("GET", "/v1/contacts/filters")).body.data.map(({ name }: { name: string }) => name)
      .sort();
  assert.deepEqual(await names(neighbour), ["Everybody's", "Ours"]);
  assert.deepEqual(await names(stranger), ["Everybody's"]);
  assert.deepEqual(await names(other), []);
  assert.equal((await stranger.call("GET", `/v1/contacts/filters/${shared.id}`)).status, 200);
  assert.equal((await maker.call("GET", `/v1/accounts/filters/${made.id}`)).status, 404);
  assert.equal((await maker.call("GET", `/v1/accounts?filter_id=${made.id}`)).status, 422);
  assert.equal((await maker.call("GET", "/v1/accounts/filters")).body.pagination.total, 0);
  assert.equal((await stranger.call("DELETE", path)).status, 404);
  assert.equal((await neighbour.call("DELETE", path)).status, 204);
});

Deno.test("filter_id combines a saved filter with the list's other filters and computes relative dates anew", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Firm");
  await createContact(admin, firm.id, "Byron");
  app.clock.move(43_200_000);
  await createContact(admin, firm.id, "King");
  const recent = expandFilter([["contact.created_at", "gte", "NOW-1d"], [
    "contact.fixed_fields.title",
    "neq",
    "x",
  ]]);
  const saved = await make(admin, "/v1/contacts/filters", { name: "New", filter: recent.slice(0, 1) });
  const list = async (query: string) => {
    const reply = await admin.call("GET", `/v1/contacts?filter_id=${saved.id}${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.pagination.total;
  };
  assert.deepEqual([await list(""), await list("&search=king"), await list("&search=none")], [2, 1, 0]);
  app.clock.move(50_000_000);
  assert.deepEqual([await list(""), await list("&search=byron")], [1, 0]);
  const { headers } = await admin.call("PUT", `/v1/contacts/filters/${saved.id}`, { filter: recent });
  assert.match(headers.get("deprecation") ?? "", /^@/);
  const reply = await admin.call("GET", `/v1/contacts?filter_id=${saved.id}`);
  assert.deepEqual([reply.body.pagination.total, reply.headers.has("deprecation")], [0, true]);
  const accounts = await make(admin, "/v1/accounts/filters", {
    name: "Firm",
    filter: expandFilter([["b2b_account.fixed_fields.name", "eq", "firm"]]),
  });
  const found = await admin.call("GET", `/v1/accounts?filter_id=${accounts.id}&sort=name&per_page=1`);
  assert.deepEqual([found.body.data[0].id, found.body.pagination.total], [firm.id, 1]);
  assert.equal((await admin.call("GET", "/v1/accounts?filter_id=x")).body.errors[0].code, "type");
});

Deno.test("a saved filter is stopped by the deletion of an option, and is rejected for callers who do not see its field", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const team = await crm.team();
  const fuel = await newField(admin, { label: "Fuel", type: "single_choice", team_id: team }, ["Diesel"]);
  const field = "account.custom_fields.fuel";
  const { Diesel } = fuel.options;
  const save = async (operator: string, value: unknown = Diesel) =>
    (await make(admin, "/v1/accounts/filters", {
      name: operator,
      filter: expandFilter([[field, operator, value]]),
    })).id;
  const [equal, unequal] = [await save("eq"), await save("neq")];
  const [among, none] = [await save("in", [Diesel]), await save("nin", [Diesel])];
  await createAccount(admin, "One", { custom_fields: [{ name: "fuel", value: Diesel }] });
  await createAccount(admin, "Two");
  const total = async (id: string) =>
    (await admin.call("GET", `/v1/accounts?filter_id=${id}`)).body.pagination.total;
  const totals = async () => [
    await total(equal),
    await total(unequal),
    await total(among),
    await total(none),
  ];
  assert.deepEqual(await totals(), [1, 1, 1, 1]);
  const stranger = await crm.user();
  const refused = await stranger.call("GET", `/v1/accounts?filter_id=${equal}`);
  assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
    422,
    "query.filter_id",
    "unknown_field",
  ]);
  await admin.call("DELETE", `/v1/fields/account/${fuel.id}/options/${Diesel}`);
  for (const id of [equal, unequal, among, none]) {
    assert.equal((await admin.call("GET", `/v1/accounts?filter_id=${id}`)).status, 422);
    const { stopped_reason } = (await admin.call("GET", `/v1/accounts/filters/${id}`)).body;
    assert.match(stopped_reason, /Diesel/);
  }
});

Deno.test("the saved filters of a deleted team move to its successor", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [north, south] = [await crm.team(), await crm.team()];
  const maker = await crm.user({ teams: [north] });
  const successor = await crm.user({ teams: [south] });
  const made = await make(maker, "/v1/contacts/filters", { name: "Ours", filter });
  const gone = await crm.admin.call("DELETE", `/v1/teams/${north}?assign_to=${south}`);
  assert.equal(gone.status, 204, gone.text);
  await app.idle();
  assert.equal((await successor.call("GET", `/v1/contacts/filters/${made.id}`)).status, 200);
});

Deno.test("only admins and the maker see the saved filters of a team that was deleted without a successor", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const team = await crm.team();
  const maker = await crm.user({ teams: [team] });
  const { id } = await make(maker, "/v1/contacts/filters", { name: "Ours", filter });
  assert.equal((await crm.admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  await app.idle();
  const path = `/v1/contacts/filters/${id}`;
  for (const [who, status] of [[crm.admin, 200], [maker, 200], [await crm.user(), 404]] as const) {
    assert.equal((await who.call("GET", path)).status, status);
  }
});

/** Views: what they hold, who sees and writes them, and that saved filters are views. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";

const path = "/v1/views";
const listFaults = ({ body }: { body: Body }) => body.errors?.map((one: Body) => `${one.path} ${one.code}`);
const byName = [{ field: "account.fixed_fields.name", operator: "sw", value: "a" }];

async function createView(actor: Actor, body: object): Promise<Body> {
  const answer = await actor.call("POST", path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const listNames = async (actor: Actor, query = "") =>
  (await actor.call("GET", `${path}${query}`)).body.data.map(({ name }: Body) => name);

Deno.test("a view of each list is kept as it was given, checked as the list would", async (t) => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const queries: [string, object][] = [
    ["lead", { show: "mine", status: "assigned,called", sort: "escalates_at", per_page: 25 }],
    ["case", { users: [admin.id], sort: "-value", milestone_ids: "none", created_from_lead: true }],
    ["task", { status: ["overdue", "pending"], sort: "end_at" }],
    ["account", { search: "works", teams: "1,2" }],
    ["contact", {}],
  ];
  for (const [entity, query] of queries) {
    const view = await createView(admin, { name: entity, entity, query, position: 3 });
    assert.deepEqual(view, {
      id: view.id,
      name: entity,
      entity,
      query,
      filter: null,
      scope: "user",
      team_id: null,
      group_id: null,
      user_id: admin.id,
      position: 3,
      stopped_reason: null,
      created_at: "2026-03-02 09:00:00",
      updated_at: "2026-03-02 09:00:00",
    });
    const got = await admin.call("GET", `${path}/${view.id}`);
    assert.deepEqual(got.body, view);
    const same = await admin.call("PUT", `${path}/${view.id}`, got.body);
    assert.deepEqual([same.status, same.text], [200, got.text]);
  }
  assert.deepEqual(await listNames(admin), queries.map(([entity]) => entity));
  await createView(admin, { name: "first", entity: "task" });
  assert.equal((await listNames(admin))[0], "first");
  assert.deepEqual(await listNames(admin, "?entity=task"), ["first", "task"]);
  assert.deepEqual(await listNames(admin, "?entity=task&sort=-position"), ["task", "first"]);

  await t.step("what the list would refuse is refused at the same path", async () => {
    const faults: [object, string[]][] = [
      [{ entity: "lead" }, ["name required"]],
      [{ name: "x" }, ["entity required"]],
      [{ name: "x", entity: "product" }, ["entity enum"]],
      [{ name: "x", entity: "lead", query: { status: "new" } }, ["query.status enum"]],
      [{ name: "x", entity: "lead", query: { per_page: 1000, sort: "name" } }, [
        "query.per_page max",
        "query.sort enum",
      ]],
      [{ name: "x", entity: "case", query: { start_at: "soon" } }, ["query.start_at format"]],
      [{ name: "x", entity: "case", query: { sort: "value", sort_mode: "recent" } }, ["query.sort excluded"]],
      [{ name: "x", entity: "task", query: { users: "me" } }, ["query.users[0] type"]],
      [{ name: "x", entity: "task", query: { stauts: "overdue" } }, ["query.stauts unknown_field"]],
      [{ name: "x", entity: "task", query: [] }, ["query type"]],
      [{ name: "x", entity: "lead", filter: byName }, ["filter excluded"]],
      [{ name: "x", entity: "account", filter: [{ field: "account.nothing", operator: "eq", value: 1 }] }, [
        "filter[0].field unknown_field",
      ]],
      [{ name: "x", entity: "lead", scope: "team" }, ["team_id required"]],
      [{ name: "x", entity: "lead", team_id: 999_999 }, ["team_id exists"]],
      [{ name: "x", entity: "lead", position: -1 }, ["position min"]],
    ];
    for (const [body, expected] of faults) {
      const refused = await admin.call("POST", path, body);
      assert.deepEqual([refused.status, listFaults(refused)], [422, expected], refused.text);
    }
  });

  await t.step("a change keeps what it leaves out; another list takes its own parameters", async () => {
    const view = await createView(admin, { name: "Old", entity: "lead", query: { show: "team" } });
    const one = `${path}/${view.id}`;
    assert.deepEqual(listFaults(await admin.call("PUT", one, { query: { status: "x" } })), [
      "query.status enum",
    ]);
    const renamed = await admin.call("PUT", one, { name: "New", position: 1 });
    assert.deepEqual([renamed.body.name, renamed.body.query], ["New", { show: "team" }]);
    const moved = await admin.call("PUT", one, { entity: "account", query: { search: "x" }, filter: byName });
    assert.deepEqual([moved.body.entity, moved.body.filter], ["account", byName]);
    assert.deepEqual(listFaults(await admin.call("PUT", one, { entity: "case" })), ["filter excluded"]);
    const cleared = await admin.call("PUT", one, { query: null, filter: null });
    assert.deepEqual([cleared.body.query, cleared.body.filter], [{}, null]);
    const stale = await admin.call("DELETE", one, undefined, { "If-Match": moved.headers.get("etag")! });
    assert.equal(stale.status, 412);
    assert.equal((await admin.call("DELETE", one)).status, 204);
    assert.equal((await admin.call("GET", one)).status, 404);
  });
});

Deno.test("a private view is its maker's; shared ones are seen and written as indicator sets are", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company();
  const group = await company.group();
  const [own, near, far] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const member = await company.user({ teams: [own] });
  const mate = await company.user({ teams: [own] });
  const neighbour = await company.user({ teams: [near] });
  const stranger = await company.user({ teams: [far] });
  const chief = await company.user({ type: "group_admin", teams: [near] });
  const { admin } = company;
  const views = {
    private: await createView(member, { name: "private", entity: "lead" }),
    team: await createView(member, { name: "team", entity: "case", team_id: own }),
    group: await createView(chief, { name: "group", entity: "task", group_id: group }),
    company: await createView(admin, { name: "company", entity: "contact", scope: "company" }),
  };
  assert.deepEqual(Object.values(views).map(({ scope }) => scope), ["user", "team", "group", "company"]);
  const seen: [Actor, string[]][] = [
    [member, ["private", "team", "group", "company"]],
    [mate, ["team", "group", "company"]],
    [neighbour, ["team", "group", "company"]],
    [stranger, ["company"]],
    [admin, ["team", "group", "company"]],
    [other.admin, []],
  ];
  const written: [Actor, string[]][] = [
    [member, ["private", "team"]],
    [mate, ["team"]],
    [neighbour, []],
    [stranger, []],
    [chief, ["team", "group"]],
    [admin, ["team", "group", "company"]],
  ];
  for (const [actor, names] of seen) {
    assert.deepEqual((await listNames(actor)).toSorted(), names.toSorted());
    for (const [name, { id }] of Object.entries(views)) {
      assert.equal((await actor.call("GET", `${path}/${id}`)).status, names.includes(name) ? 200 : 404, name);
    }
  }
  for (const [actor, names] of written) {
    for (const [name, { id }] of Object.entries(views)) {
      const { status } = await actor.call("PUT", `${path}/${id}`, { position: 2 });
      assert.equal(status === 200, names.includes(name), `${name} ${status}`);
    }
  }
  assert.equal(
    (await member.call("POST", path, { name: "x", entity: "lead", scope: "company" })).status,
    403,
  );
  assert.equal((await admin.call("PUT", `${path}/${views.team.id}`, { scope: "user" })).status, 403);
});

Deno.test("saved filters are the views of accounts and contacts with a filter, under both addresses", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [own, far] = [await company.team(), await company.team()];
  const member = await company.user({ teams: [own] });
  const stranger = await company.user({ teams: [far] });
  const filters = "/v1/accounts/filters";
  const saved = (await member.call("POST", filters, { name: "filter", filter: byName })).body;
  const view = await member.call("GET", `${path}/${saved.id}`);
  assert.deepEqual([view.body.entity, view.body.filter, view.body.scope, view.body.team_id], [
    "account",
    byName,
    "team",
    own,
  ]);
  const shared = await createView(member, { name: "view", entity: "account", filter: byName, team_id: own });
  const mine = await createView(member, { name: "mine", entity: "account", filter: byName });
  await createView(member, { name: "plain", entity: "account", query: { search: "x" }, team_id: own });
  await createView(member, { name: "other", entity: "contact", filter: [], team_id: own });
  const names = async (actor: Actor) =>
    (await actor.call("GET", filters)).body.data.map(({ name }: Body) => name).toSorted();
  assert.deepEqual(await names(member), ["filter", "mine", "view"]);
  assert.deepEqual(await names(company.admin), ["filter", "view"]);
  assert.deepEqual(await names(stranger), []);
  assert.equal((await member.call("GET", `/v1/accounts?filter_id=${mine.id}`)).status, 200);
  assert.equal((await company.admin.call("GET", `/v1/accounts?filter_id=${mine.id}`)).status, 422);
  await member.call("PUT", `${filters}/${shared.id}`, { name: "renamed" });
  assert.equal((await member.call("GET", `${path}/${shared.id}`)).body.name, "renamed");
  assert.equal((await member.call("DELETE", `${path}/${saved.id}`)).status, 204);
  assert.equal((await member.call("GET", `${filters}/${saved.id}`)).status, 404);
  const everybody = await createView(company.admin, {
    name: "all",
    entity: "account",
    filter: byName,
    scope: "company",
  });
  assert.equal((await stranger.call("PUT", `${filters}/${everybody.id}`, { name: "x" })).status, 403);
});

Deno.test("what a view names that is removed stops it; a removed owner leaves it to its maker or heir", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [gone, heir, own] = [
    await company.team(),
    await company.team(),
    await company.team({ group_id: group }),
  ];
  const member = await company.user({ teams: [own, gone] });
  const mate = await company.user({ teams: [own] });
  const leaver = await company.user({ teams: [own] });
  const named = await createView(member, {
    name: "named",
    entity: "lead",
    query: { teams: `${gone},${own}` },
  });
  const people = await createView(member, { name: "people", entity: "case", query: { users: [leaver.id] } });
  const kept = await createView(member, { name: "kept", entity: "task", team_id: gone });
  const grouped = await createView(admin, { name: "grouped", entity: "task", group_id: group });
  await leaver.call("PUT", "/v1/me/preferences", { theme: "dark" });
  const privately = await createView(leaver, { name: "privately", entity: "lead" });
  const field = await admin.call("POST", "/v1/fields/account", { label: "Fleet", type: "numeric" });
  assert.equal(field.status, 201, field.text);
  const filter = [{ field: `account.custom_fields.${field.body.name}`, operator: "gt", value: 3 }];
  const fleet = await createView(member, { name: "fleet", entity: "account", filter });

  const removed = await admin.call("DELETE", `/v1/teams/${gone}?assign_to=${heir}`);
  assert.ok([200, 204].includes(removed.status), removed.text);
  await admin.call("DELETE", `/v1/companies/${company.id}/users/${leaver.id}?assign_to=${mate.id}`);
  await admin.call("DELETE", `/v1/fields/account/${field.body.id}`);
  await admin.call("DELETE", `/v1/groups/${group}`);
  await app.idle();
  assert.deepEqual(await app.sql("select user_id from preferences"), []);
  const reason = async ({ id }: Body) => (await member.call("GET", `${path}/${id}`)).body.stopped_reason;
  assert.match(await reason(named), /deleted team/);
  assert.match(await reason(people), /deleted user/);
  assert.match(await reason(fleet), /the field Fleet was deleted/);
  const cleared = await member.call("PUT", `${path}/${named.id}`, { query: { teams: `${own}` } });
  assert.equal(cleared.body.stopped_reason, null);
  assert.equal((await admin.call("GET", `${path}/${kept.id}`)).body.team_id, heir);
  assert.equal((await mate.call("GET", `${path}/${privately.id}`)).body.user_id, mate.id);
  assert.equal((await member.call("GET", `${path}/${grouped.id}`)).status, 404);
  assert.equal((await admin.call("GET", `${path}/${grouped.id}`)).status, 200);
});

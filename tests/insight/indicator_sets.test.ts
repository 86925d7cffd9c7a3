import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import { declareUserEndpoints } from "../../src/identity/users/routes.ts";
import { makeReassignNaming } from "../../src/db/successors.ts";
import { changeRecordsOfUser } from "../../src/identity/naming_records.ts";
import { indicatorSetsFeature } from "../../src/insight/indicator_sets/feature.ts";
import { declareIndicatorSetEndpoints } from "../../src/insight/indicator_sets/routes.ts";
import type { Blocker } from "../../src/db/blockers.ts";
import { type Actor, type Reply, startApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";

const sales = { name: "Sales", indicators: ["cases.closed", "cases.closed.value"] };
const path = "/v1/reports/indicator-sets";

Deno.test("POST returns a private indicator set, GET and lists return the same", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", path, {
    ...sales,
    indicators: [...sales.indicators, "cases.closed"],
  });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.body, {
    id: made.body.id,
    ...sales,
    user_id: admin.id,
    scope: "user",
    team_id: null,
    group_id: null,
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.equal((await admin.call("GET", `${path}/${made.body.id}`)).text, made.text);
  const { body } = await admin.call("GET", path);
  assert.deepEqual([body.data, body.pagination.total], [[made.body], 1]);
});

Deno.test("rejects an invalid indicator set with field and rule, and creates nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, group] = [await company.team(), await company.group()];
  const faults: [object, string, string][] = [
    [{ ...sales, name: " " }, "name", "min"],
    [{ ...sales, name: "x".repeat(256) }, "name", "max"],
    [{ ...sales, name: null }, "name", "required"],
    [{ name: "Sales" }, "indicators", "required"],
    [{ ...sales, indicators: [] }, "indicators", "min"],
    [{ ...sales, indicators: ["cases.closed", "cases.opened"] }, "indicators[1]", "enum"],
    [{ ...sales, indicators: Array(1000).fill("cases.closed") }, "indicators", "max"],
    [{ ...sales, indicators: "cases.closed" }, "indicators", "type"],
    [{ ...sales, scope: "all" }, "scope", "enum"],
    [{ ...sales, scope: "team" }, "team_id", "required"],
    [{ ...sales, scope: "group", team_id: team }, "team_id", "excluded"],
    [{ ...sales, scope: "company", group_id: group }, "group_id", "excluded"],
    [{ ...sales, scope: "user", team_id: team }, "team_id", "excluded"],
    [{ ...sales, team_id: team, group_id: group }, "group_id", "excluded"],
    [{ ...sales, team_id: 999_999 }, "team_id", "exists"],
    [{ ...sales, group_id: 999_999 }, "group_id", "exists"],
  ];
  for (const [body, field, code] of faults) {
    const refused = await admin.call("POST", path, body);
    assert.equal(refused.status, 422, `${JSON.stringify(body)}: ${refused.text}`);
    assert.deepEqual(
      refused.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [[field, code]],
    );
  }
  assert.equal((await admin.call("GET", path)).body.pagination.total, 0);
});

Deno.test("each user sees own and shared sets, nobody another's private one, and writers are those of templates", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await app.company();
  const group = await company.group();
  const [north, south, far] = [
    await company.team({ name: "North", group_id: group }),
    await company.team({ name: "South", group_id: group }),
    await company.team({ name: "Far" }),
  ];
  const callers = {
    admin: company.admin,
    member: await company.user({ teams: [north] }),
    neighbour: await company.user({ teams: [south] }),
    head: await company.user({ type: "group_admin", teams: [south] }),
    stranger: await company.user({ teams: [far] }),
    other: foreign.admin,
  };
  const createSet = async (caller: keyof typeof callers, body: object): Promise<string> => {
    const reply = await callers[caller].call("POST", path, { ...sales, ...body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.id;
  };
  const ids = {
    company: await createSet("admin", { scope: "company" }),
    north: await createSet("admin", { team_id: north }),
    group: await createSet("admin", { group_id: group }),
    admins: await createSet("admin", {}),
    members: await createSet("member", {}),
  };
  const outcome = async (caller: keyof typeof callers) => {
    const { call } = callers[caller];
    const of = (reply: Reply) => reply.status;
    const row: Record<string, string> = {};
    for (const [name, id] of Object.entries(ids)) {
      const seen = of(await call("GET", `${path}/${id}`));
      row[name] = `${seen} ${of(await call("PUT", `${path}/${id}`, { name: "Changed" }))}`;
    }
    const { body } = await call("GET", path);
    const some = await call("GET", `${path}?ids=${Object.values(ids).join()}`);
    assert.deepEqual(some.body, {
      ...body,
      pagination: { ...body.pagination, urls: some.body.pagination.urls },
    });
    row.listed = `${body.data.length} of ${body.pagination.total}`;
    return row;
  };
  const shared = { company: "200 403", north: "200 403", group: "200 403" };
  const hidden = { admins: "404 404", members: "404 404" };
  assert.deepEqual(await outcome("admin"), {
    company: "200 200",
    north: "200 200",
    group: "200 200",
    admins: "200 200",
    members: "404 404",
    listed: "4 of 4",
  });
  assert.deepEqual(await outcome("member"), {
    ...shared,
    ...hidden,
    north: "200 200",
    members: "200 200",
    listed: "4 of 4",
  });
  assert.deepEqual(await outcome("neighbour"), { ...shared, ...hidden, listed: "3 of 3" });
  assert.deepEqual(await outcome("head"), {
    ...shared,
    ...hidden,
    north: "200 200",
    group: "200 200",
    listed: "3 of 3",
  });
  assert.deepEqual(await outcome("stranger"), {
    ...hidden,
    company: "200 403",
    north: "404 404",
    group: "404 404",
    listed: "1 of 1",
  });
  assert.deepEqual(await outcome("other"), {
    ...hidden,
    company: "404 404",
    north: "404 404",
    group: "404 404",
    listed: "0 of 0",
  });
  for (const body of [{ scope: "company" }, { team_id: far }, { group_id: group }]) {
    const refused = await callers.member.call("POST", path, { ...sales, ...body });
    assert.equal(refused.status, "scope" in body ? 403 : 422, refused.text);
  }
});

Deno.test("PUT shares a set and makes it private again for its maker alone; totals follow", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const [maker, colleague] = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const set = (await maker.call("POST", path, sales)).body;
  const put = async (body: object, caller = maker) => await caller.call("PUT", `${path}/${set.id}`, body);
  const countListed = async (caller = colleague) => (await caller.call("GET", path)).body.pagination.total;
  const shared = await put({ team_id: team });
  assert.deepEqual([shared.body.scope, shared.body.team_id, await countListed()], ["team", team, 1]);
  const renamed = await put({ ...shared.body, name: "Ours", indicators: ["sign_ins"] }, colleague);
  assert.deepEqual([renamed.status, renamed.body.scope, renamed.body.indicators], [200, "team", [
    "sign_ins",
  ]]);
  assert.equal((await put({ team_id: null }, colleague)).status, 403);
  assert.equal((await put({ scope: "user" }, company.admin)).status, 403);
  assert.equal((await put({ scope: "company" })).status, 403);
  assert.equal((await put({ scope: "company" }, company.admin)).body.team_id, null);
  assert.equal((await put({ scope: "user" })).status, 403);
  assert.equal((await put({ team_id: team }, company.admin)).body.scope, "team");
  const hidden = await put({ scope: "user" });
  assert.deepEqual([hidden.body.scope, hidden.body.team_id, await countListed()], ["user", null, 0]);
  assert.deepEqual([await countListed(maker), await countListed(company.admin)], [1, 0]);
  assert.equal((await put({ name: "Mine" }, company.admin)).status, 404);
  const late = await maker.call("PUT", `${path}/${set.id}`, { name: "Late" }, { "If-Match": '"old"' });
  assert.equal(late.status, 412);
  assert.equal((await maker.call("DELETE", `${path}/${set.id}`)).status, 204);
  assert.deepEqual([await countListed(maker), (await maker.call("GET", `${path}/${set.id}`)).status], [
    0,
    404,
  ]);
});

Deno.test("sets follow their owner: to the successor of a user or team, else to the admins", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [old, next] = [await company.team({ group_id: group }), await company.team()];
  const [leaver, successor, lost] = [await company.user(), await company.user(), await company.user()];
  const createSet = async (body: object, caller = admin) =>
    (await caller.call("POST", path, { ...sales, ...body })).body.id as string;
  const ids = {
    own: await createSet({}, leaver),
    lost: await createSet({}, lost),
    team: await createSet({ team_id: old }),
    group: await createSet({ group_id: group }),
  };
  const base = `/v1/companies/${admin.companyId}`;
  const done = async (method: string, at: string) => {
    const reply = await admin.call(method, at);
    assert.ok(reply.status < 300, reply.text);
    await app.idle();
  };
  await done("DELETE", `${base}/users/${leaver.id}?assign_to=${successor.id}`);
  assert.equal((await successor.call("GET", `${path}/${ids.own}`)).body.user_id, successor.id);
  await done("DELETE", `${base}/users/${lost.id}`);
  assert.deepEqual(await app.sql(`select count(*) as n from indicator_sets where id = '${ids.lost}'`), [{
    n: 0,
  }]);
  await done("DELETE", `/v1/groups/${group}`);
  await done("DELETE", `/v1/teams/${old}?assign_to=${next}`);
  assert.equal((await admin.call("GET", `${path}/${ids.team}`)).body.team_id, next);
  assert.equal((await successor.call("GET", `${path}/${ids.group}`)).status, 404);
  await done("DELETE", `/v1/teams/${next}`);
  const { body } = await successor.call("GET", path);
  assert.deepEqual(body.data.map(({ scope }: { scope: string }) => scope), ["user"]);
  assert.equal(body.pagination.total, 1);
  assert.equal((await admin.call("GET", path)).body.pagination.total, 2);
  for (const id of [ids.team, ids.group]) {
    assert.equal((await admin.call("DELETE", `${path}/${id}`)).status, 204);
  }
});

/** A substitute for reports of the company: saved filters of contacts whose name is the id of the set. */
const filters: Blocker = {
  type: "saved_filter",
  attribute: "name",
  rows: (id) => sql`saved_filters where name = ${id}`,
};

Deno.test("a set that is used is not deleted, nor with its maker, before the use ends", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [maker, leaver] = [await company.user(), await company.user()];
  await using probe = startProbe(app, [
    ...declareIndicatorSetEndpoints([filters]),
    ...declareUserEndpoints([
      changeRecordsOfUser(makeReassignNaming(indicatorSetsFeature.references!, () => [filters])),
    ]),
  ]);
  const createSet = async (by: Actor, isUsed: boolean): Promise<string> => {
    const { id } = (await by.call("POST", path, sales)).body;
    if (isUsed) await company.admin.call("POST", "/v1/contacts/filters", { name: id, filter: [] });
    return id;
  };
  const used = await createSet(maker, true);
  const blocked = await probe.call(maker.token, "DELETE", `${path}/${used}`);
  assert.deepEqual([blocked.status, blocked.body.code], [409, "delete_blocked"]);
  assert.deepEqual(blocked.body.impact, {
    blocked_by: [{ type: "saved_filter", amount: 1, attribute: "name" }],
    deletes: [],
  });
  assert.equal((await maker.call("GET", `${path}/${used}`)).status, 200);
  assert.equal(
    (await probe.call(maker.token, "DELETE", `${path}/${await createSet(maker, false)}`)).status,
    204,
  );
  const [kept, lost] = [await createSet(leaver, true), await createSet(leaver, false)];
  const gone = await probe.call(
    company.admin.token,
    "DELETE",
    `/v1/companies/${company.id}/users/${leaver.id}`,
  );
  assert.equal(gone.status, 204, gone.text);
  const left = await app.sql("select id from indicator_sets where id in (?, ?)", kept, lost);
  assert.deepEqual(left, [{ id: kept }]);
});

Deno.test("a page of chosen sets is followed by the next one, which ends", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const ids: string[] = [];
  for (const name of ["A", "B", "C"]) {
    const { body } = await admin.call("POST", path, { name, indicators: ["users.total"] });
    ids.push(body.id);
  }
  const met: string[] = [];
  let next: string | null = `${path}?ids=${ids.join()}&per_page=1`;
  while (next !== null && met.length < 5) {
    const { body } = await admin.call("GET", next);
    met.push(...body.data.map(({ id }: { id: string }) => id));
    next = body.pagination.urls.next?.replace(app.url, "") ?? null;
  }
  assert.deepEqual(met, ids.toReversed());
});

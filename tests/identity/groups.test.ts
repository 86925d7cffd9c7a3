import assert from "node:assert/strict";
import { Group, GroupPage } from "../../src/identity/groups/schema.ts";
import { createApp } from "../../src/app.ts";
import { startApp } from "../support/app.ts";
import { readTogether } from "../support/race.ts";

Deno.test("a group shows its teams, in lists it does not", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const made = await admin.call("POST", "/v1/groups", { name: "North" });
  assert.equal(made.status, 201);
  assert.deepEqual(Group.parse(made.body), made.body);
  assert.deepEqual([made.body.name, made.body.teams], ["North", []]);
  const path = `/v1/groups/${made.body.id}`;
  assert.equal((await admin.call("GET", path)).text, made.text);
  const team = await company.team({ name: "Kiel", group_id: made.body.id });
  const { body } = await admin.call("GET", path);
  assert.deepEqual(Group.parse(body), body);
  assert.deepEqual(body.teams.map((each: { id: number; name: string }) => [each.id, each.name]), [[
    team,
    "Kiel",
  ]]);
  app.clock.move(1000);
  const later = await admin.call("POST", "/v1/groups", { name: "South" });
  const { body: list } = await admin.call("GET", "/v1/groups");
  assert.deepEqual(GroupPage.parse(list), list);
  assert.deepEqual(list.data.map((each: { id: number }) => each.id), [later.body.id, made.body.id]);
  assert.equal(list.pagination.total, 2);
});

Deno.test("a group needs a name of 1 to 255 characters", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (
    const [body, code] of [[{}, "required"], [{ name: "" }, "min"], [
      { name: "n".repeat(256) },
      "max",
    ]] as const
  ) {
    const reply = await admin.call("POST", "/v1/groups", body);
    assert.deepEqual([reply.status, reply.body.errors[0].path, reply.body.errors[0].code], [
      422,
      "name",
      code,
    ]);
  }
});

Deno.test("only admins write groups and move teams; all users read them", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const team = await company.team({ group_id: group });
  for (const type of ["group_admin", "team_admin", "user"] as const) {
    const actor = await company.user({ type, teams: [team] });
    assert.equal((await actor.call("POST", "/v1/groups", { name: "x" })).status, 403);
    assert.equal((await actor.call("PUT", `/v1/groups/${group}/teams/${team}`)).status, 403);
    assert.equal((await actor.call("DELETE", `/v1/groups/${group}/teams/${team}`)).status, 403);
    assert.equal((await actor.call("GET", `/v1/groups/${group}`)).status, 200);
    assert.equal((await actor.call("GET", "/v1/groups")).body.pagination.total, 1);
  }
});

Deno.test("attaching moves a team into the group, out of another, and emits team_updated", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [north, south] = [await company.group("North"), await company.group("South")];
  const team = await company.team();
  app.clock.move(60_000);
  for (const group of [north, south]) {
    const reply = await admin.call("PUT", `/v1/groups/${group}/teams/${team}`);
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    const { body } = await admin.call("GET", `/v1/teams/${team}`);
    assert.deepEqual([body.group_id, body.group.id, body.updated_at], [group, group, "2026-03-02 09:01:00"]);
    const [event] = await app.sql(
      "select event_name, entity_id, body from outbox order by sequence desc limit 1",
    );
    assert.deepEqual([event!.event_name, event!.entity_id], ["team_updated", String(team)]);
    assert.deepEqual(JSON.parse(event!.body as string), body);
  }
  assert.deepEqual((await admin.call("GET", `/v1/groups/${north}`)).body.teams, []);
});

Deno.test("attaching a team to its own group changes nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const team = await company.team({ group_id: group });
  app.clock.move(60_000);
  assert.equal((await company.admin.call("PUT", `/v1/groups/${group}/teams/${team}`)).status, 204);
  assert.equal((await company.admin.call("GET", `/v1/teams/${team}`)).body.updated_at, "2026-03-02 09:00:00");
  assert.deepEqual(await app.sql("select count(*) as n from outbox"), [{ n: 0 }]);
});

Deno.test("detaching removes a team from its group, and from no other", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [group, other] = [await company.group(), await company.group()];
  const team = await company.team({ group_id: group });
  assert.equal((await admin.call("DELETE", `/v1/groups/${other}/teams/${team}`)).status, 404);
  assert.equal((await admin.call("GET", `/v1/teams/${team}`)).body.group_id, group);
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}/teams/${team}`)).status, 204);
  assert.deepEqual((await admin.call("GET", `/v1/teams/${team}`)).body.group, null);
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}/teams/${team}`)).status, 404);
});

Deno.test("attaching and detaching share and unshare records at once", async () => {
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
  await admin.call("PUT", `/v1/groups/${group}/teams/${south}`);
  assert.equal(await readStatus(), 200);
  await admin.call("DELETE", `/v1/groups/${group}/teams/${south}`);
  assert.equal(await readStatus(), 404);
});

Deno.test("If-Match covers the group with its teams", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [north, south] = [await company.team(), await company.team()];
  const match = (await admin.call("GET", `/v1/groups/${group}`)).headers.get("etag")!;
  const attach = (team: number) =>
    admin.call("PUT", `/v1/groups/${group}/teams/${team}`, undefined, { "If-Match": match });
  assert.equal((await attach(north)).status, 204);
  const late = await attach(south);
  assert.deepEqual([late.status, late.body.code], [412, "precondition_failed"]);
});

Deno.test("of two concurrent changes with the same version one succeeds", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [group, other] = [await company.group(), await company.group()];
  const [north, south] = [await company.team(), await company.team({ group_id: other })];
  const match = (await admin.call("GET", `/v1/groups/${group}`)).headers.get("etag")!;
  const together = createApp({ ...app.deps, db: readTogether(app.deps.db, 2) });
  const replies = await Promise.all([north, south].map((team) =>
    together.fetch(
      new Request(`http://localhost/v1/groups/${group}/teams/${team}`, {
        method: "PUT",
        headers: { Authorization: `Bearer ${admin.token}`, "If-Match": match },
      }),
    )
  ));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 412]);
  assert.equal((await admin.call("GET", `/v1/groups/${group}`)).body.teams.length, 1);
});

Deno.test("groups and teams of another company are 404", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const [own, foreign] = [await company.group(), await other.group()];
  const [team, strange] = [await company.team(), await other.team()];
  const { admin } = company;
  for (
    const [method, path] of [
      ["GET", `/v1/groups/${foreign}`],
      ["PUT", `/v1/groups/${foreign}/teams/${team}`],
      ["PUT", `/v1/groups/${own}/teams/${strange}`],
      ["DELETE", `/v1/groups/${foreign}/teams/${strange}`],
      ["PUT", `/v1/groups/999999/teams/${team}`],
      ["PUT", `/v1/groups/${own}/teams/x`],
    ] as const
  ) assert.equal((await admin.call(method, path)).status, 404, `${method} ${path}`);
  assert.equal((await admin.call("GET", "/v1/groups")).body.pagination.total, 1);
});

Deno.test("a renamed group shows its new name in its teams, without events", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group("North");
  const team = await company.team({ group_id: group });
  app.clock.move(60_000);
  const path = `/v1/groups/${group}`;
  const { status, body, text } = await admin.call("PUT", path, { name: "South" });
  assert.deepEqual([status, body.name, body.updated_at], [200, "South", "2026-03-02 09:01:00"]);
  assert.deepEqual(Group.parse(body), body);
  assert.equal((await admin.call("GET", path)).text, text);
  assert.equal((await admin.call("GET", `/v1/teams/${team}`)).body.group.name, "South");
  assert.equal((await admin.call("PUT", path, {})).body.name, "South");
  for (const [name, code] of [[null, "required"], ["", "min"], ["n".repeat(256), "max"]]) {
    assert.equal((await admin.call("PUT", path, { name })).body.errors[0].code, code);
  }
  assert.deepEqual(await app.sql("select * from outbox"), []);
});

Deno.test("teams of a deleted group stop sharing with the next call, each with an event", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [north, south] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const ada = await company.user({ teams: [south] });
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: north,
    fixed_fields: [{ name: "name", value: "Shared" }],
  });
  const readStatus = async () => (await ada.call("GET", `/v1/accounts/${account.body.id}`)).status;
  assert.equal(await readStatus(), 200);
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}`)).status, 204);
  assert.equal(await readStatus(), 404);
  assert.equal((await admin.call("GET", `/v1/groups/${group}`)).status, 404);
  assert.equal((await admin.call("GET", "/v1/groups")).body.pagination.total, 0);
  const events = await app.sql(
    "select entity_id, body from outbox where event_name = 'team_updated' order by entity_id",
  );
  assert.deepEqual(events.map(({ entity_id }) => Number(entity_id)), [north, south]);
  for (const [index, id] of [north, south].entries()) {
    const { body } = await admin.call("GET", `/v1/teams/${id}`);
    assert.deepEqual([body.group_id, body.group], [null, null]);
    assert.deepEqual(JSON.parse(events[index]!.body as string), body);
  }
});

Deno.test("only admins update and delete groups, and only in the version that they name", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const path = `/v1/groups/${await company.group()}`;
  for (const type of ["group_admin", "team_admin", "user"] as const) {
    const actor = await company.user({ type });
    assert.equal((await actor.call("PUT", path, { name: "x" })).status, 403);
    assert.equal((await actor.call("DELETE", path)).status, 403);
  }
  const match = { "If-Match": (await admin.call("GET", path)).headers.get("etag")! };
  assert.equal((await admin.call("PUT", path, { name: "x" }, match)).status, 200);
  assert.equal((await admin.call("PUT", path, { name: "y" }, match)).status, 412);
  assert.equal((await admin.call("DELETE", path, undefined, match)).status, 412);
});

Deno.test("a group of very many teams is deleted in bounded batches, each team's event with its change", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  await app.deps.db.write([{
    sql: "insert into teams (company_id, group_id, name, timezone, locale, created_at, updated_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 450) " +
      "select ?, ?, 'Team ' || i, 'UTC', 'en-GB', '', '' from n",
    args: [company.id, group],
  }]);
  const sizes: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    const results = await write.call(app.deps.db, statements);
    sizes.push(Math.max(...results.map(({ changes }) => changes)));
    return results;
  };
  const key = { "Idempotency-Key": "once" };
  const remove = async () =>
    (await company.admin.call("DELETE", `/v1/groups/${group}`, undefined, key)).status;
  assert.deepEqual([await remove(), await remove()], [204, 204]);
  assert.deepEqual(sizes, [200, 200, 50]);
  const reported = "select count(distinct entity_id) as teams, count(*) as events from outbox " +
    "where event_name = 'team_updated' and body ->> 'group_id' is null";
  assert.deepEqual(await app.sql(reported), [{ teams: 450, events: 450 }]);
  assert.deepEqual(await app.sql("select count(*) as n from teams where group_id is not null"), [{ n: 0 }]);
});

import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { sql } from "../../src/db/statements.ts";
import { listTablesOfTeams } from "../../src/identity/teams/affected_records.ts";
import { references } from "../../src/schema.ts";
import { DeleteImpact } from "../../src/identity/delete_impact.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newCase, newPath, readEvents } from "../sales/parts.ts";

const none = { blocked_by: [], deletes: [], affects: [] };

Deno.test("a deleted team is 404 everywhere, bodies do not name it, and its id is not used again", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const path = await newPath(admin);
  const { body: team } = await admin.call("POST", "/v1/teams", { name: "Kiel", group_id: group });
  const near = await company.team({ group_id: group });
  const reply = await admin.call("DELETE", `/v1/teams/${team.id}`);
  assert.deepEqual([reply.status, reply.text], [204, ""]);
  const [event] = (await readEvents(app)).slice(-1);
  assert.deepEqual(event, { name: "team_deleted", body: team }, "the team just before");
  for (const [method, at] of [["GET", ""], ["PUT", ""], ["DELETE", ""], ["GET", "/delete-impact"]] as const) {
    const gone = await admin.call(method, `/v1/teams/${team.id}${at}`, method === "PUT" ? {} : undefined);
    assert.equal(gone.status, 404, `${method} ${at}`);
  }
  assert.equal((await admin.call("PUT", `/v1/groups/${group}/teams/${team.id}`)).status, 404);
  const { body: list } = await admin.call("GET", "/v1/teams");
  assert.deepEqual([list.pagination.total, list.data.map(({ id }: Body) => id)], [1, [near]]);
  assert.deepEqual((await admin.call("GET", "/v1/teams?search=kiel")).body.data, []);
  const { body: shared } = await admin.call("GET", `/v1/groups/${group}`);
  assert.deepEqual(shared.teams.map(({ id }: Body) => id), [near]);
  const bodies: [string, object, string][] = [
    ["accounts", { fixed_fields: [{ name: "name", value: "x" }], team_id: team.id }, "team_id"],
    ["lead-types", { name: "x", relations_path_ids: [path.id], team_id: team.id }, "team_id"],
    [
      "lead-types",
      { name: "x", relations_path_ids: [path.id], team_settings: [{ team_id: team.id }] },
      "team_settings[0].team_id",
    ],
    ["relations-paths", {
      name: "x",
      team_id: team.id,
      activity_types: { milestones: [{ name: "Offer" }] },
    }, "team_id"],
    [`companies/${company.id}/users`, {
      first_name: "A",
      last_name: "B",
      email: "a@example.org",
      password: "ten chars!",
      team_ids: [team.id],
    }, "team_ids[0]"],
  ];
  for (const [to, body, at] of bodies) {
    const refused = await admin.call("POST", `/v1/${to}`, body);
    assert.equal(refused.status, 422, `${to}: ${refused.text}`);
    assert.deepEqual([refused.body.errors[0].path, refused.body.errors[0].code], [at, "exists"], to);
  }
  assert.equal((await admin.call("PUT", "/v1/switch-team", { team_id: team.id })).status, 422);
  assert.ok(await company.team() > Math.max(team.id, near));
});

Deno.test("members leave a deleted team with the next call, and are active in their next team or in none", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [team, other] = [await company.team({ group_id: group }), await company.team()];
  const near = await company.team({ group_id: group });
  const alone = await company.user({ teams: [team] });
  const both = await company.user({ teams: [team, other] });
  const away = await company.user({ teams: [other, team], active: other });
  const { body: own } = await alone.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Own" }],
  });
  const { body: shared } = await admin.call("POST", "/v1/accounts", {
    team_id: near,
    fixed_fields: [{ name: "name", value: "Shared" }],
  });
  const readStatuses = async (by: Actor) =>
    await Promise.all(
      [own, shared].map(async ({ id }) => (await by.call("GET", `/v1/accounts/${id}`)).status),
    );
  assert.deepEqual(await readStatuses(alone), [200, 200]);
  const match = { "If-Match": (await admin.call("GET", `/v1/groups/${group}`)).headers.get("etag")! };
  const before = (await readEvents(app)).length;
  app.clock.move(60_000);
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  assert.deepEqual(await readStatuses(alone), [404, 404], "neither the team's nor its group's");
  assert.deepEqual(await readStatuses(admin), [200, 200], "admins see the records of a deleted team");
  const get = async (user: Actor) =>
    (await admin.call("GET", `/v1/companies/${company.id}/users/${user.id}`)).body;
  const users = [await get(alone), await get(both), await get(away)];
  assert.deepEqual(
    users.map((user) => [user.team?.id ?? null, user.teams.map(({ id }: Body) => id), user.updated_at]),
    [[null, []], [other, [other]], [other, [other]]].map((of) => [...of, "2026-03-02 09:01:00"]),
  );
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(events.map(({ name }) => name), ["team_deleted", ...Array(3).fill("user_updated")]);
  assert.deepEqual(events.slice(1).map(({ body }) => body), users, "each as GET has it");
  const late = await admin.call("PUT", `/v1/groups/${group}`, { name: "x" }, match);
  assert.equal(late.status, 412, "its group shows another list of teams");
  const { body: made } = await alone.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Later" }],
  });
  assert.equal(made.team_id, null);
});

Deno.test("admins, and group admins in their groups, delete teams, and only they get the impact", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [group, elsewhere] = [await company.group(), await company.group()];
  const mine = await company.team({ group_id: group });
  const teams = [mine];
  const actors = {
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    user: await company.user({ teams }),
    admin: company.admin,
  };
  const allowed: Record<string, string[]> = {
    admin: ["own", "near", "far", "ungrouped"],
    group_admin: ["own", "near"],
    team_admin: [],
    user: [],
  };
  for (const [type, actor] of Object.entries(actors)) {
    const targets = {
      near: await company.team({ group_id: group }),
      far: await company.team({ group_id: elsewhere }),
      ungrouped: await company.team(),
    };
    for (const [what, team] of Object.entries(targets)) {
      const may = allowed[type]!.includes(what);
      const reported = await actor.call("GET", `/v1/teams/${team}/delete-impact`);
      assert.equal(reported.status, may ? 200 : 403, `impact: ${type} ${what}`);
      if (may) assert.deepEqual(DeleteImpact.parse(reported.body), none);
      const reply = await actor.call("DELETE", `/v1/teams/${team}`);
      assert.equal(reply.status, may ? 204 : 403, `${type} ${what}`);
    }
  }
  assert.equal((await actors.group_admin.call("DELETE", `/v1/teams/${mine}`)).status, 204);
  const after = await actors.group_admin.call(
    "DELETE",
    `/v1/teams/${await company.team({ group_id: group })}`,
  );
  assert.equal(after.status, 403, "the group is no longer the caller's");
});

Deno.test("assign_to is another team of the company that the caller may use; else 422 and nothing is deleted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await (await app.company("Other")).team();
  const [group, elsewhere] = [await company.group(), await company.group()];
  const [team, near] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const far = await company.team({ group_id: elsewhere });
  const gone = await company.team();
  await company.admin.call("DELETE", `/v1/teams/${gone}`);
  const lead = await company.user({ type: "group_admin", teams: [team] });
  const refused: [Actor, unknown, string][] = [
    [company.admin, team, "exists"],
    [company.admin, foreign, "exists"],
    [company.admin, gone, "exists"],
    [company.admin, 999_999, "exists"],
    [company.admin, "x", "type"],
    [company.admin, 0, "min"],
    [lead, far, "exists"],
  ];
  for (const [by, id, code] of refused) {
    const reply = await by.call("DELETE", `/v1/teams/${team}?assign_to=${id}`);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], ["query.assign_to", code]);
  }
  assert.equal((await lead.call("GET", `/v1/teams/${team}`)).status, 200);
  assert.equal((await lead.call("DELETE", `/v1/teams/${team}?assign_to=${near}`)).status, 204);
});

Deno.test("a team is deleted only in the version of If-Match, and once under an Idempotency-Key", async () => {
  await using app = await startApp();
  const { admin, team: make } = await app.company();
  const path = `/v1/teams/${await make()}`;
  const match = { "If-Match": (await admin.call("GET", path)).headers.get("etag")! };
  await admin.call("PUT", path, { city: "x" });
  const refused = await admin.call("DELETE", path, undefined, match);
  assert.deepEqual([refused.status, refused.body.code], [412, "precondition_failed"]);
  const key = { "Idempotency-Key": "once" };
  const first = await admin.call("DELETE", path, undefined, key);
  const again = await admin.call("DELETE", path, undefined, key);
  assert.deepEqual([first.status, again.status], [204, 204]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal((await readEvents(app)).filter(({ name }) => name === "team_deleted").length, 1);
});

Deno.test("open invitations no longer include a deleted team", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [team, other] = [await company.team(), await company.team()];
  const lists = [[other, team], [team], [other]];
  for (const [index, ids] of lists.entries()) {
    await app.deps.db.write([{
      sql: "insert into invitations (company_id, email, token_hash, role_ids, team_ids, created_by, " +
        "expires_at, created_at, updated_at) values (?, 'a@example.org', ?, '[]', ?, ?, ?, '', '')",
      args: [company.id, `${index}`, JSON.stringify(ids), company.admin.id, app.clock.now() + 1e9],
    }]);
  }
  await company.admin.call("DELETE", `/v1/teams/${team}`);
  const rows = await app.sql("select team_ids, version from invitations order by id");
  assert.deepEqual(rows.map(({ team_ids, version }) => [team_ids, version]), [
    [`[${other}]`, 2],
    ["[]", 2],
    [`[${other}]`, 1],
  ]);
});

Deno.test("a user who joins a team during its deletion leaves it too", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [team, other] = [await company.team(), await company.team()];
  const user = await company.user({ teams: [other] });
  const path = `/v1/companies/${company.id}/users/${user.id}`;
  const reply = await callMeanwhile(app, company.admin, "DELETE", `/v1/teams/${team}`, async () => {
    assert.equal((await company.admin.call("PUT", path, { team_ids: [other, team] })).status, 200);
  });
  assert.equal(reply.status, 204);
  const { body } = await company.admin.call("GET", path);
  assert.deepEqual(body.teams.map(({ id }: Body) => id), [other]);
  const reported = (await readEvents(app)).filter(({ name }) => name === "user_updated");
  assert.deepEqual([reported.length, reported.at(-1)!.body], [2, body], "of joining, and of leaving");
});

Deno.test("a group that changes while one of its teams is deleted shows the rest", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const path = `/v1/groups/${await company.group()}`;
  const team = await company.team({ group_id: Number(path.slice("/v1/groups/".length)) });
  const reply = await callMeanwhile(app, admin, "PUT", path, async () => {
    assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  }, { name: "South" });
  assert.deepEqual((await reply.json()).teams, []);
});

Deno.test("a case opened while its team is deleted blocks that, and a team deleted while a case is opened is refused", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const path = await newPath(admin);
  const team = await company.team();
  const reply = await callMeanwhile(app, admin, "DELETE", `/v1/teams/${team}`, async () => {
    await newCase(admin, path, { team_id: team });
  });
  assert.equal(reply.status, 409);
  const impact = { blocked_by: [{ type: "cases", amount: 1 }], deletes: [], affects: [] };
  assert.deepEqual((await reply.json()).impact, impact);
  const of = await newCase(admin, path);
  const second = await company.team();
  const late = await callMeanwhile(app, admin, "POST", "/v1/cases", async () => {
    assert.equal((await admin.call("DELETE", `/v1/teams/${second}`)).status, 204);
  }, { contact_id: of.contact.id, relations_path_id: path.id, team_id: second });
  assert.equal(late.status, 422);
  assert.equal((await late.json()).errors[0].path, "team_id");
});

Deno.test("the impact counts every kind of record that gets the successor or stops, by the references", async () => {
  const types = [contributions.teamDeletion.open(0, sql`0`, ""), contributions.teamDeletion.countOwned(0, 0)]
    .flatMap((amounts) => amounts.map(({ type }) => type));
  assert.deepEqual(types.toSorted(), listTablesOfTeams(references).toSorted());
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team_id = await company.team();
  const made: readonly (readonly [path: string, body: Body])[] = [
    ["/v1/templates", { type: "email", title: "Frame", content: "Hello" }],
    ["/v1/templates", { type: "letter", title: "Frame", content: "Hello" }],
    ["/v1/campaigns", {
      type: "email",
      name: "Spring",
      approved: false,
      message: { subject: "Spring", content: "Hello", sender: "Us" },
    }],
    ["/v1/fields/account", { label: "Fuel", type: "text" }],
    ["/v1/reports/indicator-sets", { name: "Sales", indicators: ["cases.open"] }],
  ];
  const domain = await admin.call("PUT", "/v1/campaigns/settings", { domain_slug: "nordlicht" });
  assert.equal(domain.status, 200, domain.text);
  for (const [path, body] of made) {
    const reply = await admin.call("POST", path, { ...body, team_id });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  }
  const impact = async () => (await admin.call("GET", `/v1/teams/${team_id}/delete-impact`)).body;
  assert.deepEqual(await impact(), {
    blocked_by: [],
    deletes: [],
    affects: [
      { type: "fields", amount: 1 },
      { type: "templates", amount: 2 },
      { type: "campaigns", amount: 1 },
      { type: "indicator_sets", amount: 1 },
    ],
  });
});

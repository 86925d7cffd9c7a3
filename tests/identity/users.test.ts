import assert from "node:assert/strict";
import { User } from "../../src/identity/users/record.ts";
import { Me, UserPage } from "../../src/identity/users/schema.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";

let count = 0;
const someone = (more: object = {}) => ({
  email: `user${++count}@example.org`,
  first_name: "Grace",
  last_name: "Hopper",
  password: "ten chars!",
  ...more,
});

async function role(app: TestApp, companyId: number, ...rights: string[]): Promise<number> {
  const [row] = await app.deps.db.write([{
    sql:
      "insert into roles (company_id, name, created_at, updated_at) values (?, ?, '2026-01-01 00:00:00', '2026-01-01 00:00:00') returning id",
    args: [companyId, `Role ${++count}`],
  }]).then(([result]) => result!.rows);
  for (const right of rights) {
    await app.deps.db.write([{
      sql: "insert into role_rights (role_id, right_name) values (?, ?)",
      args: [row!.id!, right],
    }]);
  }
  return row!.id as number;
}

Deno.test("a user has all fields, the same by POST, GET, in the list and in the event", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const group = await company.group("All");
  const [north, south] = [await company.team({ group_id: group }), await company.team({ name: "South" })];
  const agency = await role(app, id, "agency");
  const path = `/v1/companies/${id}/users`;
  const made = await admin.call(
    "POST",
    path,
    someone({
      email: "Grace@example.org",
      job_title: "Admiral",
      phone_number: "030 123456",
      timezone: { name: "Europe/Berlin" },
      locale: { code: "de-DE" },
      team_ids: [south, north, south],
      role_ids: [agency],
      system_user: true,
    }),
  );
  assert.equal(made.status, 201, made.text);
  const user = made.body;
  assert.deepEqual(User.parse(user), user);
  assert.deepEqual([user.first_name, user.last_name, user.email], ["Grace", "Hopper", "Grace@example.org"]);
  assert.deepEqual([user.phone_number, user.formatted_phone_number], ["030 123456", "+49 30 123456"]);
  assert.deepEqual([user.job_title, user.system_user, user.email_notifications], ["Admiral", true, true]);
  assert.deepEqual([user.timezone, user.locale.code], [{ name: "Europe/Berlin", offset: 3600 }, "de-DE"]);
  assert.deepEqual([user.user_type, user.signature], [{ id: 3, name: "user" }, { email: null }]);
  assert.deepEqual(user.teams.map((team: { id: number }) => team.id), [north, south]);
  assert.equal(user.team.id, south, "the first of team_ids becomes the active team");
  assert.equal(user.teams[0].group.name, "All");
  assert.deepEqual([user.roles[0].id, user.roles[0].deleted_at], [agency, null]);
  assert.equal((await admin.call("GET", `${path}/${user.id}`)).text, made.text);
  const { body: list } = await admin.call("GET", path);
  assert.deepEqual(UserPage.parse(list), list);
  assert.deepEqual(list.data.find((each: { id: number }) => each.id === user.id), user);
  const [event] = await app.sql(
    "select entity_id, executor_id, created_by, body from outbox where event_name = 'user_created'",
  );
  assert.deepEqual([event!.entity_id, event!.executor_id, event!.created_by], [
    String(user.id),
    admin.id,
    admin.id,
  ]);
  assert.deepEqual(JSON.parse(event!.body as string), user);
});

Deno.test("time zone and locale of a new user are the company's, and no team is active without teams", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  await app.deps.db.write([{
    sql: "update companies set timezone = 'Asia/Tokyo', locale = 'ja-JP'",
    args: [],
  }]);
  const { body } = await admin.call("POST", `/v1/companies/${id}/users`, someone());
  assert.deepEqual([body.timezone.name, body.locale.code, body.team, body.teams], [
    "Asia/Tokyo",
    "ja-JP",
    null,
    [],
  ]);
});

Deno.test("a new user can sign in with the given password", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const body = someone();
  const made = await admin.call("POST", `/v1/companies/${id}/users`, body);
  const client = await newClient(app, true);
  const sign = { grant_type: "password", ...client, username: body.email, password: body.password };
  const me = await app.call((await askToken(app, sign)).body.access_token, "GET", "/v1/me");
  assert.equal(me.body.id, made.body.id);
});

Deno.test("me is the user with company, active team and the rights in force", async () => {
  await using app = await startApp();
  const company = await app.company("Nordlicht");
  const team = await company.team();
  const ada = await company.user({ teams: [team], rights: ["agency", "campaigns.send", "ranks.manage"] });
  const { status, body } = await ada.call("GET", "/v1/me");
  assert.equal(status, 200);
  assert.deepEqual(Me.parse(body), body);
  assert.deepEqual([body.id, body.company.name, body.team.id], [ada.id, "Nordlicht", team]);
  assert.deepEqual(body.rights, [
    "customers.create",
    "customers.update",
    "cases.create",
    "cases.update",
    "leads.create",
    "agency",
    "templates.manage",
    "reports.view",
    "notifications.send",
  ]);
  const { company: _company, rights: _rights, ...user } = body;
  assert.deepEqual((await ada.call("GET", `/v1/companies/${company.id}/users/${ada.id}`)).body, user);
});

Deno.test("a client without a user has no /me", async () => {
  await using app = await startApp();
  const reply = await app.call(await app.trustedClient(), "GET", "/v1/me");
  assert.deepEqual([reply.status, reply.body.code], [403, "forbidden"]);
});

Deno.test("errors of a new user name field and rule", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const other = await app.company("Other");
  const [foreignTeam, foreignRole] = [await other.team(), await role(app, other.id)];
  const path = `/v1/companies/${id}/users`;
  const taken = someone();
  await admin.call("POST", path, taken);
  const cases: [object, string, string][] = [
    [someone({ email: undefined }), "email", "required"],
    [someone({ email: "x@" }), "email", "format"],
    [someone({ email: taken.email.toUpperCase() }), "email", "unique"],
    [someone({ first_name: "" }), "first_name", "min"],
    [someone({ last_name: 7 }), "last_name", "type"],
    [someone({ job_title: "j".repeat(256) }), "job_title", "max"],
    [someone({ password: "nine char" }), "password", "min"],
    [someone({ password: undefined }), "password", "required"],
    [someone({ timezone: { name: "Nowhere" } }), "timezone.name", "enum"],
    [someone({ locale: { code: "de" } }), "locale.code", "enum"],
    [someone({ team_ids: [foreignTeam] }), "team_ids[0]", "exists"],
    [someone({ team_ids: "7" }), "team_ids", "type"],
    [someone({ role_ids: [foreignRole] }), "role_ids[0]", "exists"],
    [someone({ role_ids: ["1"] }), "role_ids[0]", "type"],
    [someone({ user_type: { id: 4 } }), "user_type.id", "enum"],
    [someone({ system_user: "yes" }), "system_user", "type"],
  ];
  const [before] = await app.sql("select count(*) as n from users");
  for (const [body, field, code] of cases) {
    const reply = await admin.call("POST", path, body);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [[field, code]],
    );
  }
  const { body: all } = await admin.call("POST", path, { job_title: 7 });
  assert.deepEqual(
    all.errors.map((error: { path: string; message: string }) => [error.path, error.message]),
    [
      ["email", "Must be given."],
      ["first_name", "Must be given."],
      ["last_name", "Must be given."],
      ["job_title", "Must be a string."],
      ["password", "Required unless sso is given."],
    ],
    "all errors at once",
  );
  assert.deepEqual(await app.sql("select count(*) as n from users"), [before]);
});

Deno.test("single sign-on replaces the password, with a trusted client and a known provider", async () => {
  await using app = await startApp();
  const { admin, id, token } = await app.company();
  const path = `/v1/companies/${id}/users`;
  const body = someone({ password: undefined, sso: { provider_user_id: 7, provider_name: "corp" } });
  const refused = await admin.call("POST", path, body);
  assert.equal(refused.status, 403);
  assert.match(refused.body.detail, /trusted/);
  const reply = await app.call(await token(admin.id, true), "POST", path, body);
  assert.equal(reply.status, 422);
  assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], ["sso.provider_name", "exists"]);
});

Deno.test("of concurrent users with one address one is created", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const body = someone();
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => admin.call("POST", `/v1/companies/${id}/users`, body)),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422, 422]);
});

Deno.test("the caller's type decides which users they create, with which teams, types and roles", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { id } = company;
  const path = `/v1/companies/${id}/users`;
  const group = await company.group();
  const own = await company.team({ name: "own" });
  const grouped = await company.team({ name: "grouped", group_id: group });
  const beside = await company.team({ name: "beside", group_id: group });
  const foreign = await company.team({ name: "foreign" });
  const common = await role(app, id, "customers.create");
  const agency = await role(app, id, "agency");
  const teams = [own, grouped];
  const actors = {
    admin: company.admin,
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    user: await company.user({ type: "user", teams }),
  };
  const bodies: Record<string, object> = {
    "no team": {},
    "own team": { team_ids: [own] },
    "own team in a group": { team_ids: [grouped] },
    "team beside it": { team_ids: [beside] },
    "foreign team": { team_ids: [foreign] },
    "one good, one foreign": { team_ids: [grouped, foreign] },
    "role of held rights": { team_ids: [grouped], role_ids: [common] },
    "role of a lacking right": { team_ids: [grouped], role_ids: [agency] },
    "type user": { team_ids: [grouped], user_type: { id: 3 } },
    "type team_admin": { team_ids: [grouped], user_type: { id: 2 } },
    "type group_admin": { team_ids: [grouped], user_type: { id: 5 } },
    "type admin": { team_ids: [grouped], user_type: { id: 1 } },
  };
  const allowed: Record<keyof typeof actors, string[]> = {
    admin: Object.keys(bodies),
    group_admin: [
      "own team in a group",
      "team beside it",
      "role of held rights",
      "type user",
      "type team_admin",
      "type group_admin",
    ],
    team_admin: ["own team", "own team in a group", "type user"],
    user: [],
  };
  for (const [type, actor] of Object.entries(actors)) {
    for (const [what, body] of Object.entries(bodies)) {
      const reply = await actor.call("POST", path, someone(body));
      const expected = allowed[type as keyof typeof actors].includes(what) ? 201 : 403;
      assert.equal(reply.status, expected, `${type}: ${what}: ${reply.text}`);
    }
  }
});

Deno.test("the list pages, newest first, and searches by name, address and ids", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const path = `/v1/companies/${id}/users`;
  const ids: number[] = [];
  for (
    const [first_name, last_name, email] of [
      ["Jürgen", "Müller-Lüdenscheidt", "jm@example.org"],
      ["Anna", "Muller", "anna@muster.test"],
      ["Łukasz", "Kowalski", "luk@example.org"],
    ]
  ) {
    app.clock.move(1000);
    const { body } = await admin.call("POST", path, someone({ first_name, last_name, email }));
    ids.push(body.id);
  }
  const listIds = async (query: string) => {
    const { status, body } = await admin.call("GET", `${path}?${query}`);
    assert.equal(status, 200, query);
    const shown = body.data.map((user: { id: number }) => user.id);
    if (body.pagination.urls.next === null) assert.equal(body.pagination.total, shown.length, query);
    return shown;
  };
  const [juergen, anna, lukasz] = ids;
  assert.deepEqual(await listIds(""), [lukasz, anna, juergen, admin.id]);
  assert.deepEqual(await listIds("sort=created_at"), [admin.id, juergen, anna, lukasz]);
  assert.deepEqual(await listIds("search=mull"), [anna, juergen]);
  assert.deepEqual(await listIds("search=lud%20JUR"), [juergen]);
  assert.deepEqual(await listIds("search=lukasz"), [lukasz]);
  assert.deepEqual(await listIds("search=muster"), [anna]);
  assert.deepEqual(await listIds("search=uller"), []);
  assert.deepEqual(await listIds("search=%20"), [lukasz, anna, juergen, admin.id]);
  assert.deepEqual(await listIds(`ids=${juergen},${lukasz},999999`), [lukasz, juergen]);
  assert.deepEqual(await listIds(`ids[]=${juergen}&ids[]=${anna}`), [anna, juergen]);
  assert.deepEqual(await listIds("ids=999999"), []);
  assert.deepEqual(await listIds(`search=mull&ids=${anna}`), [anna]);
  const { body: page } = await admin.call("GET", `${path}?per_page=3`);
  assert.equal(page.pagination.total, 4);
  const next = await admin.call("GET", page.pagination.urls.next.slice(app.url.length));
  assert.deepEqual(next.body.data.map((user: { id: number }) => user.id), [admin.id]);
  const [red, blue] = [`Red ${id}`, `Blue ${id}`];
  const teams: number[] = [];
  for (const name of [red, blue]) teams.push((await admin.call("POST", "/v1/teams", { name })).body.id);
  await admin.call("PUT", `${path}/${anna}`, { team_ids: teams });
  await admin.call("PUT", `${path}/${lukasz}`, { team_ids: [teams[1]] });
  assert.deepEqual(await listIds(`teams=${teams[0]}`), [anna]);
  assert.deepEqual(await listIds(`teams=${teams.join(",")}`), [lukasz, anna]);
  assert.deepEqual(await listIds(`teams=${teams.join(",")}&search=mull`), [anna]);
  assert.deepEqual(await listIds("teams=999999"), []);
  assert.equal((await admin.call("GET", `${path}?teams=x`)).body.errors[0].code, "type");
  const stranger = await app.company();
  const foreign = await stranger.admin.call(
    "GET",
    `/v1/companies/${stranger.id}/users?teams=${teams.join(",")}`,
  );
  assert.deepEqual([foreign.status, foreign.body.data], [200, []]);
  assert.equal((await admin.call("GET", `${path}?ids=x`)).body.errors[0].code, "type");
  assert.equal((await admin.call("GET", `${path}?sort=password`)).body.errors[0].code, "enum");
});

Deno.test("all users of a company read its users; those of another company are 404", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const user = await company.user({ teams: [await company.team()] });
  const stranger = await company.user({ teams: [await company.team()] });
  const path = `/v1/companies/${company.id}/users`;
  assert.equal((await user.call("GET", `${path}/${stranger.id}`)).status, 200);
  assert.equal((await user.call("GET", path)).body.pagination.total, 3);
  for (
    const [method, address] of [
      ["GET", `/v1/companies/${other.id}/users`],
      ["GET", `/v1/companies/${other.id}/users/${other.admin.id}`],
      ["POST", `/v1/companies/${other.id}/users`],
      ["GET", `${path}/${other.admin.id}`],
      ["GET", `${path}/999999`],
      ["GET", `${path}/x`],
    ] as const
  ) {
    const reply = await company.admin.call(method, address, method === "POST" ? someone() : undefined);
    assert.equal(reply.status, 404, `${method} ${address}`);
  }
  assert.equal((await company.admin.call("GET", `${path}?ids=${other.admin.id}`)).body.pagination.total, 0);
});

Deno.test("a deleted user is 404 and in no list", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  await app.deps.db.write([{
    sql: "update users set deleted_at = created_at where id = ?",
    args: [user.id],
  }]);
  const path = `/v1/companies/${company.id}/users`;
  assert.equal((await company.admin.call("GET", `${path}/${user.id}`)).status, 404);
  const { body } = await company.admin.call("GET", path);
  assert.deepEqual([body.pagination.total, body.data.length], [1, 1]);
});

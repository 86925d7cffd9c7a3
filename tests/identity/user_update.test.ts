import assert from "node:assert/strict";
import { insert } from "../../src/db/statements.ts";
import { sessions } from "../../src/identity/auth/table.ts";
import { User } from "../../src/identity/users/record.ts";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";

const path = (actor: Actor) => `/v1/companies/${actor.companyId}/users/${actor.id}`;
const listIds = (items: { id: number }[]) => items.map(({ id }) => id);
const codes = (reply: { body: Body }) =>
  reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]);

async function role(app: TestApp, companyId: number, ...rights: string[]): Promise<number> {
  const [made] = await app.deps.db.write([{
    sql: "insert into roles (company_id, name, created_at, updated_at) " +
      "values (?, lower(hex(randomblob(8))), '2026-01-01 00:00:00', '2026-01-01 00:00:00') returning id",
    args: [companyId],
  }]);
  const id = made!.rows[0]!.id as number;
  for (const right of rights) {
    await app.deps.db.write([{
      sql: "insert into role_rights (role_id, right_name) values (?, ?)",
      args: [id, right],
    }]);
  }
  return id;
}

Deno.test("a PUT changes the given fields, keeps absent ones, and answers like GET and the event", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [north, south] = [await company.team(), await company.team({ name: "South" })];
  const user = await company.user({ teams: [north] });
  const agency = await role(app, company.id, "agency");
  app.clock.move(60_000);
  const changed = await admin.call("PUT", path(user), {
    email: "New@example.org",
    first_name: "Grace",
    last_name: "Hopper",
    job_title: "Admiral",
    phone_number: "030 123456",
    timezone: { name: "Europe/Berlin" },
    locale: { code: "de-DE" },
    role_ids: [agency],
    team_ids: [south],
    user_type: { id: 2 },
    signature: { email: '<p onclick="x()">Grace<script>alert(1)</script></p>' },
    email_notifications: false,
    system_user: true,
    password: "ignored in any form",
    sso: 7,
  });
  assert.equal(changed.status, 200, changed.text);
  const { body } = changed;
  assert.deepEqual(User.parse(body), body);
  assert.deepEqual([body.email, body.first_name, body.last_name], ["New@example.org", "Grace", "Hopper"]);
  assert.deepEqual([body.job_title, body.formatted_phone_number], ["Admiral", "+49 30 123456"]);
  assert.deepEqual([body.timezone.name, body.locale.code], ["Europe/Berlin", "de-DE"]);
  assert.deepEqual([listIds(body.roles), listIds(body.teams), body.team.id], [[agency], [south], south]);
  assert.deepEqual(body.user_type, { id: 2, name: "team_admin" });
  assert.equal(body.signature.email, "<p>Grace</p>");
  assert.deepEqual([body.email_notifications, body.system_user], [false, true]);
  assert.deepEqual([body.created_at, body.updated_at], ["2026-03-02 09:00:00", "2026-03-02 09:01:00"]);
  assert.equal((await admin.call("GET", path(user))).text, changed.text);
  const [event] = await app.sql("select entity_id, body from outbox where event_name = 'user_updated'");
  assert.deepEqual([event!.entity_id, event!.body], [String(user.id), changed.text]);
  const found = await admin.call("GET", `/v1/companies/${company.id}/users?search=hopper`);
  assert.deepEqual(listIds(found.body.data), [user.id]);
  const { body: gone } = await admin.call("GET", `/v1/companies/${company.id}/users?search=byron+user`);
  assert.deepEqual(gone.data, [], "search no longer finds the user by the old words");

  const { body: same } = await admin.call("PUT", path(user), {});
  assert.deepEqual(same, body);
});

Deno.test("null clears: texts are null, time zone and locale the company's, teams and roles empty", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user({ teams: [await company.team()], rights: ["agency"] });
  await company.admin.call("PUT", path(user), {
    job_title: "x",
    phone_number: "1",
    timezone: { name: "Asia/Tokyo" },
    locale: { code: "ja-JP" },
    signature: { email: "x" },
    email_notifications: false,
    system_user: true,
  });
  const { body } = await company.admin.call("PUT", path(user), {
    job_title: null,
    phone_number: null,
    timezone: null,
    locale: { code: null },
    signature: null,
    email_notifications: null,
    system_user: null,
    role_ids: null,
    team_ids: null,
  });
  assert.deepEqual([body.job_title, body.phone_number, body.signature], [null, null, { email: null }]);
  assert.deepEqual([body.timezone.name, body.locale.code], ["UTC", "en-GB"]);
  assert.deepEqual([body.email_notifications, body.system_user], [true, false]);
  assert.deepEqual([body.roles, body.teams, body.team], [[], [], null]);
});

Deno.test("the active team stays while the user is in it; else the first of team_ids is active", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [a, b, c] = [await company.team(), await company.team(), await company.team()];
  const user = await company.user({ teams: [b] });
  const put = async (...team_ids: number[]) =>
    (await company.admin.call("PUT", path(user), { team_ids })).body;
  assert.equal((await put(a, b)).team.id, b);
  assert.equal((await put(c, a)).team.id, c);
  assert.equal((await put()).team, null);
});

Deno.test("errors of an updated user name field and rule, and nothing changes", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const other = await app.company("Other");
  const user = await company.user();
  const email = (await other.admin.call("GET", "/v1/me")).body.email;
  const cases: [object, string, string][] = [
    [{ email: null }, "email", "required"],
    [{ email: "x@" }, "email", "format"],
    [{ email: `${"a".repeat(89)}@example.org` }, "email", "max"],
    [{ email: email.toUpperCase() }, "email", "unique"],
    [{ first_name: "" }, "first_name", "min"],
    [{ first_name: "f".repeat(256) }, "first_name", "max"],
    [{ last_name: null }, "last_name", "required"],
    [{ last_name: "l".repeat(256) }, "last_name", "max"],
    [{ job_title: "j".repeat(256) }, "job_title", "max"],
    [{ phone_number: "1".repeat(256) }, "phone_number", "max"],
    [{ timezone: { name: "Nowhere" } }, "timezone.name", "enum"],
    [{ locale: { code: "de" } }, "locale.code", "enum"],
    [{ user_type: { id: 4 } }, "user_type.id", "enum"],
    [{ user_type: null }, "user_type", "required"],
    [{ signature: { email: "s".repeat(65_536) } }, "signature.email", "max"],
    [{ email_notifications: "yes" }, "email_notifications", "type"],
    [{ team_ids: [await other.team()] }, "team_ids[0]", "exists"],
    [{ role_ids: [await role(app, other.id)] }, "role_ids[0]", "exists"],
  ];
  const before = await admin.call("GET", path(user));
  for (const [body, field, code] of cases) {
    const reply = await admin.call("PUT", path(user), body);
    assert.equal(reply.status, 422, `${JSON.stringify(body).slice(0, 80)}: ${reply.text}`);
    assert.deepEqual(codes(reply), [[field, code]]);
  }
  assert.equal((await admin.call("GET", path(user))).text, before.text);
  const longest = { signature: { email: "s".repeat(65_535) }, first_name: "f".repeat(255) };
  assert.equal((await admin.call("PUT", path(user), longest)).status, 200);
  const own = { email: before.body.email.toUpperCase() };
  assert.equal((await admin.call("PUT", path(user), own)).status, 200, "one's own address in other letters");
});

/** Callers of each type in a grouped and an ungrouped team, and users around them. */
async function around(company: TestCompany) {
  const group = await company.group();
  const grouped = await company.team({ group_id: group });
  const beside = await company.team({ group_id: group });
  const alone = await company.team();
  const foreign = await company.team();
  const teams = [grouped, alone];
  const callers = {
    admin: await company.user({ type: "admin", teams }),
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    user: await company.user({ teams }),
  };
  return { callers, grouped, beside, alone, foreign };
}

Deno.test("admins update all users, group admins those of their groups, team admins those of their teams, everybody themselves, and nobody a higher type", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { callers, grouped, beside, alone, foreign } = await around(company);
  const targets = {
    "in own team of a group": await company.user({ teams: [grouped] }),
    "in a team beside it": await company.user({ teams: [beside] }),
    "in own team of no group": await company.user({ teams: [alone] }),
    "in a foreign team": await company.user({ teams: [foreign] }),
    "in no team": await company.user(),
    "a team_admin": await company.user({ type: "team_admin", teams: [grouped] }),
    "a group_admin": await company.user({ type: "group_admin", teams: [grouped] }),
    "an admin": await company.user({ type: "admin", teams: [grouped] }),
  };
  const allowed: Record<keyof typeof callers, string[]> = {
    admin: Object.keys(targets),
    group_admin: ["in own team of a group", "in a team beside it", "a team_admin", "a group_admin"],
    team_admin: ["in own team of a group", "in own team of no group", "a team_admin"],
    user: [],
  };
  for (const [type, caller] of Object.entries(callers)) {
    for (const [what, target] of Object.entries(targets)) {
      const reply = await caller.call("PUT", path(target), { job_title: `by ${type}` });
      const expected = allowed[type as keyof typeof callers].includes(what) ? 200 : 403;
      assert.equal(reply.status, expected, `${type}: ${what}: ${reply.text}`);
    }
    assert.equal((await caller.call("PUT", path(caller), { job_title: "self" })).status, 200, type);
  }
});

Deno.test("admins, and group admins in their groups, change type, roles and teams; anybody may repeat them", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { callers, grouped, beside, alone, foreign } = await around(company);
  const common = await role(app, company.id, "customers.create");
  const agency = await role(app, company.id, "agency");
  const bodies: Record<string, object> = {
    "the same": { user_type: { id: 3 }, team_ids: [alone, grouped], role_ids: [] },
    "type team_admin": { user_type: { id: 2 } },
    "type group_admin": { user_type: { id: 5 } },
    "type admin": { user_type: { id: 1 } },
    "into a team beside": { team_ids: [grouped, alone, beside] },
    "into a foreign team": { team_ids: [grouped, alone, foreign] },
    "out of own team of a group": { team_ids: [alone] },
    "out of own team of no group": { team_ids: [grouped] },
    "role of held rights": { role_ids: [common] },
    "role of a lacking right": { role_ids: [agency] },
  };
  const allowed: Record<keyof typeof callers, string[]> = {
    admin: Object.keys(bodies),
    group_admin: [
      "the same",
      "type team_admin",
      "type group_admin",
      "into a team beside",
      "out of own team of a group",
      "role of held rights",
    ],
    team_admin: ["the same"],
    user: [],
  };
  for (const [type, caller] of Object.entries(callers)) {
    for (const [what, body] of Object.entries(bodies)) {
      const target = await company.user({ teams: [grouped, alone] });
      const reply = await caller.call("PUT", path(target), body);
      const expected = allowed[type as keyof typeof callers].includes(what) ? 200 : 403;
      assert.equal(reply.status, expected, `${type}: ${what}: ${reply.text}`);
    }
  }
});

Deno.test("nobody raises themselves by type, role or team; a PUT may repeat them", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { callers, foreign } = await around(company);
  const agency = await role(app, company.id, "agency");
  for (const type of ["group_admin", "team_admin", "user"] as const) {
    const caller = callers[type];
    const { body: me } = await caller.call("GET", path(caller));
    const raised = [
      { user_type: { id: 1 } },
      { role_ids: [agency] },
      { team_ids: [...listIds(me.teams), foreign] },
    ];
    for (const body of raised) {
      const reply = await caller.call("PUT", path(caller), body);
      assert.deepEqual([reply.status, reply.body.code], [403, "forbidden"], `${type}: ${reply.text}`);
    }
    const same = { user_type: me.user_type, role_ids: [], team_ids: listIds(me.teams), last_name: "King" };
    assert.equal((await caller.call("PUT", path(caller), same)).status, 200, type);
  }
  assert.equal(
    (await callers.team_admin.call("PUT", path(callers.team_admin), { user_type: { id: 5 } })).status,
    403,
  );
});

Deno.test("a user's role may stay with any rights, and callers may remove roles of rights that they have", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { callers, grouped } = await around(company);
  const [agency, common] = [
    await role(app, company.id, "agency"),
    await role(app, company.id, "customers.create"),
  ];
  const user = await company.user({ teams: [grouped] });
  await company.admin.call("PUT", path(user), { role_ids: [agency] });
  const { group_admin } = callers;
  assert.equal((await group_admin.call("PUT", path(user), { role_ids: [agency, common] })).status, 200);
  assert.equal((await group_admin.call("PUT", path(user), { role_ids: [agency] })).status, 200);
});

Deno.test("nobody takes away a right that they lack: by a role, a role that it depends on, or the user type", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { grouped } = await around(company);
  const [agency, manage, send, automations] = [
    await role(app, company.id, "agency"),
    await role(app, company.id, "campaigns.manage"),
    await role(app, company.id, "campaigns.send"),
    await role(app, company.id, "automations.manage"),
  ];
  const caller = await company.user({
    type: "group_admin",
    teams: [grouped],
    rights: ["campaigns.manage"],
  });
  const cases = [
    { type: "user", has: [agency], take: { role_ids: [] }, right: "agency" },
    { type: "user", has: [agency, manage], take: { role_ids: [manage] }, right: "agency" },
    { type: "user", has: [manage, send], take: { role_ids: [send] }, right: "campaigns.send" },
    { type: "user", has: [automations], take: { role_ids: [] }, right: "automations.manage" },
    { type: "team_admin", has: [automations], take: { user_type: { id: 3 } }, right: "automations.manage" },
  ] as const;
  for (const { type, has, take, right } of cases) {
    const target = await company.user({ type, teams: [grouped] });
    assert.equal((await company.admin.call("PUT", path(target), { role_ids: has })).status, 200);
    const before = await company.admin.call("GET", path(target));
    const refused = await caller.call("PUT", path(target), take);
    assert.deepEqual([refused.status, refused.body.code], [403, "forbidden"], refused.text);
    assert.match(refused.body.detail, new RegExp(`right ${right}`));
    assert.equal((await company.admin.call("GET", path(target))).text, before.text);
    assert.equal((await company.admin.call("PUT", path(target), take)).status, 200);
  }
  const own = { role_ids: [], user_type: { id: 3 } };
  assert.equal((await caller.call("PUT", path(caller), own)).status, 200);
});

Deno.test("the last admin cannot be demoted, one of several can", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  await app.company("Other");
  const lower = { user_type: { id: 3 } };
  const refused = await admin.call("PUT", path(admin), lower);
  assert.deepEqual([refused.status, refused.body.code], [409, "last_admin"]);
  assert.equal((await admin.call("PUT", path(admin), { user_type: { id: 1 }, job_title: "x" })).status, 200);
  const second = await company.user({ type: "admin" });
  const replies = await Promise.all([
    admin.call("PUT", path(admin), lower),
    second.call("PUT", path(second), lower),
  ]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
});

Deno.test("changes of type, roles and teams apply at once", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const rights = async () => (await user.call("GET", "/v1/me")).body.rights;
  assert.ok(!(await rights()).includes("agency"));
  await company.admin.call("PUT", path(user), { role_ids: [await role(app, company.id, "agency")] });
  assert.ok((await rights()).includes("agency"));
  await company.admin.call("PUT", path(user), { user_type: { id: 1 } });
  assert.ok((await rights()).includes("admin"));
});

Deno.test("updating a user honours If-Match, and concurrent updates lose nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const user = await company.user();
  const etag = (await admin.call("GET", path(user))).headers.get("etag")!;
  assert.equal((await admin.call("PUT", path(user), { job_title: "a" }, { "If-Match": etag })).status, 200);
  assert.equal((await admin.call("PUT", path(user), { job_title: "b" }, { "If-Match": etag })).status, 412);
  await Promise.all([
    admin.call("PUT", path(user), { job_title: "c" }),
    admin.call("PUT", path(user), { phone_number: "1" }),
  ]);
  const { body } = await admin.call("GET", path(user));
  assert.deepEqual([body.job_title, body.phone_number], ["c", "1"]);
});

Deno.test("a password changes with the old one; other tokens end, the caller's and its refresh token stay", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const username = await withPassword(app, user, "the old one");
  const client = await newClient(app, true);
  const sign = async (password: string) =>
    await askToken(app, { grant_type: "password", ...client, username, password });
  const [mine, others] = [(await sign("the old one")).body, (await sign("the old one")).body];
  const at = `${path(user)}/password`;
  const put = async (old_password: unknown, new_password: unknown) =>
    await app.call(mine.access_token, "PUT", at, { old_password, new_password });
  const refused: [unknown, unknown, string, string][] = [
    ["wrong", "the new one", "old_password", "format"],
    [undefined, "the new one", "old_password", "required"],
    ["the old one", "nine char", "new_password", "min"],
    ["the old one", null, "new_password", "required"],
  ];
  for (const [before, after, field, code] of refused) {
    const reply = await put(before, after);
    assert.deepEqual([reply.status, codes(reply)], [422, [[field, code]]]);
  }
  assert.equal((await app.call(others.access_token, "GET", "/v1/me")).status, 200);
  const expires_at = app.clock.now() + 3_600_000;
  await app.deps.db.write([insert(sessions, { hash: "h", user_id: user.id, expires_at, created_at: "x" })]);
  const changed = await put("the old one", "ten chars!");
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(User.parse(changed.body), changed.body);
  assert.deepEqual(await app.sql("select hash from sessions"), [], "sessions at the pages end, too");
  assert.equal((await app.call(others.access_token, "GET", "/v1/me")).status, 401);
  assert.equal((await app.call(mine.access_token, "GET", "/v1/me")).status, 200);
  const refresh = async ({ refresh_token }: Body) =>
    (await askToken(app, { grant_type: "refresh_token", ...client, refresh_token })).status;
  assert.deepEqual([await refresh(others), await refresh(mine)], [400, 200]);
  assert.deepEqual([(await sign("the old one")).status, (await sign("ten chars!")).status], [400, 200]);
});

Deno.test("nobody changes another user's password, not even an admin", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  await withPassword(app, user, "the old one");
  const body = { old_password: "the old one", new_password: "the new one" };
  assert.equal((await company.admin.call("PUT", `${path(user)}/password`, body)).status, 403);
});

Deno.test("the active team is one of the user's own, or none; new records go to it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [a, b, foreign] = [await company.team(), await company.team(), await company.team()];
  const user = await company.user({ teams: [a, b] });
  const switchTo = async (team_id: unknown) => await user.call("PUT", "/v1/switch-team", { team_id });
  const createAccount = async () =>
    (await user.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "x" }] })).body.team_id;
  assert.equal(await createAccount(), a);
  const switched = await switchTo(b);
  assert.deepEqual([switched.status, switched.body.team.id], [200, b]);
  assert.equal((await user.call("GET", path(user))).text, switched.text);
  const [event] = await app.sql("select body from outbox where event_name = 'user_updated'");
  assert.equal(event!.body, switched.text);
  assert.equal(await createAccount(), b);
  const none = await switchTo(null);
  assert.deepEqual([none.status, none.body.team, await createAccount()], [200, null, null]);
  for (const [team_id, code] of [[foreign, "exists"], [undefined, "required"], ["1", "type"]]) {
    const reply = await switchTo(team_id);
    assert.deepEqual([reply.status, codes(reply)], [422, [["team_id", code]]]);
  }
});

Deno.test("all users read the teams of a user of the company", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team({ name: "Kiel" });
  const user = await company.user({ teams: [team] });
  const reader = await company.user();
  const { status, body } = await reader.call("GET", `${path(user)}/teams`);
  assert.equal(status, 200);
  assert.deepEqual(body, { data: [(await reader.call("GET", `/v1/teams/${team}`)).body] });
  assert.deepEqual((await reader.call("GET", `${path(reader)}/teams`)).body, { data: [] });
  const other = await app.company("Other");
  assert.equal((await other.admin.call("GET", `${path(user)}/teams`)).status, 404);
});

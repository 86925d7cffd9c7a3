import assert from "node:assert/strict";
import { companyErasureWork } from "../../src/erase.ts";
import { runStaged } from "../../src/staged/run.ts";
import { type Body, startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { askToken } from "../support/oauth.ts";

const hour = 3_600_000;
let count = 0;
const person = (more: object = {}) => ({
  first_name: "Ada",
  last_name: "Byron",
  email: `ada${++count}@example.org`,
  password: "ten chars!",
  ...more,
});

Deno.test("integer ids of deleted users, groups, roles and companies are never used again", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  for (
    const [path, body] of [
      [`/v1/companies/${id}/users`, person],
      ["/v1/groups", () => ({ name: "All" })],
      ["/v1/roles", () => ({ name: "Agency" })],
    ] as const
  ) {
    const first = (await admin.call("POST", path, body())).body.id;
    assert.equal((await admin.call("DELETE", `${path}/${first}`)).status, 204, path);
    const second = (await admin.call("POST", path, body())).body.id;
    assert.ok(second > first, `${path}: ${second} after ${first}`);
  }
  const trusted = await app.trustedClient();
  const createCompany = async () =>
    (await app.call(trusted, "POST", "/v1/companies", { name: "Short", user: person() })).body;
  const first = await createCompany();
  await app.deps.db.write([{
    sql: "update companies set deleted_at = created_at where id = ?",
    args: [first.id],
  }, {
    sql:
      "insert into staged_work (company_id, kind, subject, created_at) values (?1, 'company_erasure', ?1, '')",
    args: [first.id],
  }]);
  while (await runStaged(app.deps, app.clock.now() + hour, [companyErasureWork]) > 0);
  assert.deepEqual(await app.sql("select id from companies where id = ?", first.id), []);
  const second = await createCompany();
  assert.ok(second.id > first.id && second.user.id > first.user.id);
});

Deno.test("phone numbers show in international form by the record's locale, and unchanged if they are not numbers", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const readNumbers = async (method: string, path: string, body: object) => {
    const reply = await admin.call(method, path, body);
    return [reply.body.phone_number, reply.body.formatted_phone_number];
  };
  for (
    const [locale, phone_number, formatted] of [
      ["de-DE", "040 123456", "+49 40 123456"],
      ["fr-FR", "01 23 45 67 89", "+33 1 23 45 67 89"],
      ["de-DE", "+44 20 7946 0018", "+44 20 7946 0018"],
      ["de-DE", "1 for Ada", "1 for Ada"],
      ["de-DE", "12", "12"],
      ["de-DE", null, null],
    ]
  ) {
    const fields = { locale: { code: locale }, phone_number };
    const expected = [phone_number, formatted];
    assert.deepEqual(await readNumbers("POST", `/v1/companies/${id}/users`, person(fields)), expected);
    assert.deepEqual(await readNumbers("PUT", `/v1/companies/${id}/users/${admin.id}`, fields), expected);
    assert.deepEqual(await readNumbers("POST", "/v1/teams", { name: "North", ...fields }), expected);
  }
});

Deno.test("the user types have these numbers and names, and user is the default", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const createForType = async (more: object) =>
    (await admin.call("POST", `/v1/companies/${id}/users`, person(more))).body.user_type;
  const types = { admin: 1, team_admin: 2, user: 3, group_admin: 5 };
  for (const [name, number] of Object.entries(types)) {
    assert.deepEqual(await createForType({ user_type: { id: number } }), { id: number, name });
  }
  assert.deepEqual(await createForType({}), { id: 3, name: "user" });
});

Deno.test("no endpoint makes an application trusted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const token = await company.token(company.admin.id, true);
  const claims = { trusted: true, client_id: "mine", client_secret: "mine", user_id: 1, company_id: null };
  const made = await app.call(token, "POST", "/v1/applications", { name: "Website", ...claims });
  assert.equal(made.status, 201);
  const path = `/v1/applications/${made.body.client_id}`;
  assert.equal((await app.call(token, "PUT", path, { name: "Shop", ...claims })).status, 200);
  const { client_id, client_secret } = made.body;
  assert.ok(client_id !== "mine" && client_secret !== "mine");
  const issued = await askToken(app, { grant_type: "client_credentials", client_id, client_secret });
  const more = await app.call(issued.body.access_token, "POST", "/v1/applications", { name: "More" });
  assert.deepEqual([more.status, more.body.code], [403, "forbidden"]);
  assert.equal((await app.call(issued.body.access_token, "GET", "/v1/me")).body.id, company.admin.id);
});

Deno.test("creating and changing applications needs the right and a trusted client, reading and deleting only the right", async () => {
  await using app = await startApp();
  const company = await app.company();
  const trusted = await company.token(company.admin.id, true);
  const plain = company.admin.token;
  const user = await company.user();
  const { client_id } = (await app.call(trusted, "POST", "/v1/applications", { name: "Website" })).body;
  const path = `/v1/applications/${client_id}`;
  const calls: [string, string, object | undefined, number][] = [
    ["POST", "/v1/applications", { name: "Website" }, 403],
    ["PUT", path, { name: "Shop" }, 403],
    ["GET", "/v1/applications", undefined, 200],
    ["GET", path, undefined, 200],
    ["DELETE", path, undefined, 204],
  ];
  for (const [method, at, body, status] of calls) {
    const asUser = await app.call(await company.token(user.id, true), method, at, body);
    assert.deepEqual([asUser.status, asUser.body.code], [403, "forbidden"], `${method} ${at}`);
    assert.match(asUser.body.detail, /applications\.manage/);
    assert.equal((await app.call(plain, method, at, body)).status, status, `${method} ${at}`);
  }
});

Deno.test("every list has 15 records a page by default, newest first", async (t) => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const trusted = await company.token(admin.id, true);
  const lists: Record<string, () => Promise<unknown>> = {
    "/v1/teams": () => admin.call("POST", "/v1/teams", { name: "North" }),
    "/v1/groups": () => admin.call("POST", "/v1/groups", { name: "All" }),
    "/v1/roles": () => admin.call("POST", "/v1/roles", { name: `Role ${++count}` }),
    [`/v1/companies/${id}/users`]: () => admin.call("POST", `/v1/companies/${id}/users`, person()),
    "/v1/applications": () => app.call(trusted, "POST", "/v1/applications", { name: "x" }),
    "/v1/tokens": () => company.token(admin.id),
  };
  for (const [path, make] of Object.entries(lists)) {
    await t.step(path, async () => {
      app.clock.move(1000);
      for (let n = 0; n < 16; n++) {
        app.clock.move(1000);
        await make();
      }
      const { body } = await app.call(trusted, "GET", path);
      assert.deepEqual([body.data.length, body.pagination.per_page, body.pagination.page], [15, 15, 1]);
      const times = body.data.map((each: Body) => each.created_at);
      assert.deepEqual(times, [...times].sort().reverse());
      assert.equal(new Set(times).size, 15);
      assert.equal(body.pagination.urls.previous, null);
    });
  }
});

Deno.test("ending a token on one instance ends it on another within five seconds, on a remote database", () =>
  farDatabase(async ({ env }) => {
    await using here = await startApp(env);
    await using there = await startApp(env);
    const company = await here.company();
    const { admin } = company;
    const statuses = async (token: string) => [
      (await here.call(token, "GET", "/v1/me")).status,
      (await there.call(token, "GET", "/v1/me")).status,
    ];
    for (const what of ["token", "user"]) {
      const user = await company.user();
      assert.deepEqual(await statuses(user.token), [200, 200]);
      const ended = what === "token"
        ? await user.call("DELETE", `/v1/tokens/${user.token}`)
        : await admin.call("DELETE", `/v1/companies/${company.id}/users/${user.id}`);
      assert.equal(ended.status, 204, ended.text);
      assert.equal((await here.call(user.token, "GET", "/v1/me")).status, 401);
      there.clock.move(5000);
      assert.equal((await there.call(user.token, "GET", "/v1/me")).status, 401, what);
    }
    const promoted = await company.user();
    const right = async () => (await there.call(promoted.token, "POST", "/v1/groups", { name: "x" })).status;
    assert.equal(await right(), 403);
    const at = `/v1/companies/${company.id}/users/${promoted.id}`;
    assert.equal((await admin.call("PUT", at, { user_type: { id: 1 } })).status, 200);
    there.clock.move(5000);
    assert.equal(await right(), 201);
  }));

import assert from "node:assert/strict";
import { callMeanwhile } from "../support/race.ts";
import { acceptAsGuest, invite, makePerson } from "./invited.ts";
import { startApp, type TestApp, type TestCompany } from "../support/app.ts";

const okta = {
  provider_name: "Okta",
  issuer: "https://acme.example.org",
  client_id: "crm",
  client_secret: "a-very-long-secret-h7sQ",
};
let count = 0;

/** A company with a driver, and a function that creates users by a trusted client of its admin. */
async function withDriver(app: TestApp) {
  const company = await app.company();
  await company.admin.call("PUT", `/v1/companies/${company.id}/sso`, [okta]);
  const token = await company.token(company.admin.id, true);
  return { company, create: (more: object) => create(app, company, token, more) };
}

function create(app: TestApp, company: TestCompany, token: string, more: object) {
  const user = { first_name: "Grace", last_name: "Hopper", email: `grace-${count++}@example.org` };
  return app.call(token, "POST", `/v1/companies/${company.id}/users`, { ...user, ...more });
}

const sso = (provider_user_id: unknown, provider_name: unknown = "Okta") => ({
  sso: { provider_user_id, provider_name },
});

const errors = (reply: { body: { errors: { path: string; code: string }[] } }) =>
  reply.body.errors.map(({ path, code }) => `${path} ${code}`);

Deno.test("a trusted client creates a user who signs on through a provider, without a password", async () => {
  await using app = await startApp();
  const { create } = await withDriver(app);
  const made = await create(sso(4711));
  assert.equal(made.status, 201, made.text);
  const rows = await app.sql(
    "select sso_provider, sso_user_id, password_hash from users where id = ?",
    made.body.id,
  );
  assert.deepEqual(rows, [{ sso_provider: "Okta", sso_user_id: "4711", password_hash: null }]);
});

Deno.test("creating a user for single sign-on without a trusted client is 403 and says so", async () => {
  await using app = await startApp();
  const { company } = await withDriver(app);
  const reply = await create(app, company, company.admin.token, sso(1));
  assert.equal(reply.status, 403);
  assert.match(reply.body.detail, /trusted client/);
});

Deno.test("an unknown provider is 422, and so is another company's", async () => {
  await using app = await startApp();
  const { create: make } = await withDriver(app);
  assert.deepEqual(errors(await make(sso(1, "Auth0"))), ["sso.provider_name exists"]);
  const other = await app.company();
  const reply = await create(app, other, await other.token(other.admin.id, true), sso(1));
  assert.equal(reply.status, 422);
  assert.deepEqual(errors(reply), ["sso.provider_name exists"]);
});

Deno.test("password or sso is required, and both are accepted", async () => {
  await using app = await startApp();
  const { create } = await withDriver(app);
  const neither = await create({});
  assert.deepEqual([neither.status, errors(neither)], [422, ["password required"]]);
  assert.equal((await create({ sso: null, password: null })).status, 422);
  assert.equal((await create({ password: "correct horse battery", ...sso(5) })).status, 201);
});

Deno.test("a subject belongs to one user of the company, as a number or as text", async () => {
  await using app = await startApp();
  const { company, create: make } = await withDriver(app);
  const first = await make(sso(4711));
  assert.deepEqual(errors(await make(sso(4711))), ["sso.provider_user_id unique"]);
  assert.deepEqual(errors(await make(sso("4711"))), ["sso.provider_user_id unique"]);
  assert.equal((await make(sso("04711"))).status, 201);
  const other = await withDriver(app);
  assert.equal((await other.create(sso(4711))).status, 201);
  await company.admin.call("DELETE", `/v1/companies/${company.id}/users/${first.body.id}`);
  assert.equal((await make(sso(4711))).status, 201);
});

Deno.test("of many concurrent users with one subject one is created", async () => {
  await using app = await startApp();
  const { create } = await withDriver(app);
  const replies = await Promise.all(Array.from({ length: 8 }, () => create(sso("many"))));
  const made = replies.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const reply of replies) {
    if (reply.status !== 201) assert.deepEqual(errors(reply), ["sso.provider_user_id unique"]);
  }
});

Deno.test("a provider that is removed while a user is created for it is 422", async () => {
  await using app = await startApp();
  const { company } = await withDriver(app);
  const token = await company.token(company.admin.id, true);
  const reply = await callMeanwhile(
    app,
    { ...company.admin, token, call: (...args) => app.call(token, ...args) },
    "POST",
    `/v1/companies/${company.id}/users`,
    () => company.admin.call("PUT", `/v1/companies/${company.id}/sso`, []),
    { first_name: "Grace", last_name: "Hopper", email: "grace@example.org", ...sso(1) },
  );
  assert.equal(reply.status, 422, await reply.text());
  assert.deepEqual(await app.sql("select * from users where sso_provider is not null"), []);
});

Deno.test("provider_user_id is an integer, or text of 1 to 255 characters", async () => {
  await using app = await startApp();
  const { create } = await withDriver(app);
  assert.equal((await create(sso("x".repeat(255)))).status, 201);
  assert.equal((await create(sso("auth0|5f7c"))).status, 201);
  for (
    const [value, code] of [["", "min"], ["x".repeat(256), "max"], [1.5, "type"], [true, "type"], [
      null,
      "required",
    ]] as const
  ) {
    const reply = await create(sso(value));
    assert.equal(reply.status, 422, reply.text);
    assert.ok(errors(reply).includes(`sso.provider_user_id ${code}`), `${value}: ${errors(reply)}`);
  }
  assert.deepEqual(errors(await create({ sso: { provider_user_id: 1 } })), ["sso.provider_name required"]);
});

Deno.test("an invited person may be created for single sign-on, by the same rules", async () => {
  await using app = await startApp();
  const { company, create: make } = await withDriver(app);
  await make(sso("taken"));
  const { token } = await invite(company, { email: "charles@example.org" });
  const use = (more: object) =>
    acceptAsGuest(app, company.id, token, makePerson({ password: undefined, ...more }));
  assert.deepEqual(errors(await use(sso(1, "Auth0"))), ["sso.provider_name exists"]);
  assert.deepEqual(errors(await use(sso("taken"))), ["sso.provider_user_id unique"]);
  const made = await use(sso(7));
  assert.equal(made.status, 201, made.text);
  const rows = await app.sql("select sso_provider, sso_user_id from users where id = ?", made.body.id);
  assert.deepEqual(rows, [{ sso_provider: "Okta", sso_user_id: "7" }]);
});

Deno.test("sso in an update of a user is ignored", async () => {
  await using app = await startApp();
  const { company, create } = await withDriver(app);
  const { body: user } = await create(sso(1));
  const path = `/v1/companies/${company.id}/users/${user.id}`;
  const changed = await company.admin.call("PUT", path, { job_title: "Admiral", ...sso(2, "Nothing") });
  assert.equal(changed.status, 200, changed.text);
  const rows = await app.sql("select job_title, sso_provider, sso_user_id from users where id = ?", user.id);
  assert.deepEqual(rows, [{ job_title: "Admiral", sso_provider: "Okta", sso_user_id: "1" }]);
});

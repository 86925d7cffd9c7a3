import assert from "node:assert/strict";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { mostTokens } from "../../src/identity/tokens/end_many.ts";
import { askToken } from "../support/oauth.ts";

async function trustedAdmin(app: TestApp) {
  const company = await app.company();
  const token = await company.token(company.admin.id, true);
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    app.call(token, method, path, body, headers);
  const make = async (body: object = {}) => {
    const reply = await call("POST", "/v1/applications", { name: "Website", ...body });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  return { company, call, make };
}

function clientCredentials(app: TestApp, client_id: string, client_secret: string) {
  return askToken(app, { grant_type: "client_credentials", client_id, client_secret });
}

Deno.test("the secret shows when the application is created, is masked afterwards, and works", async () => {
  await using app = await startApp();
  const { company, call, make } = await trustedAdmin(app);
  const made = await make({ redirect_uri: "https://example.org/back" });
  assert.deepEqual(Object.keys(made), [
    "name",
    "client_id",
    "client_secret",
    "redirect_uri",
    "created_at",
    "updated_at",
  ]);
  assert.match(made.client_secret, /^[\w-]{43}$/);
  const masked = { ...made, client_secret: `••••${made.client_secret.slice(-4)}` };
  assert.deepEqual((await call("GET", `/v1/applications/${made.client_id}`)).body, masked);
  const { data } = (await call("GET", "/v1/applications")).body;
  assert.deepEqual(data.find((one: typeof made) => one.client_id === made.client_id), masked);
  const put = await call("PUT", `/v1/applications/${made.client_id}`, { name: "Shop" });
  assert.deepEqual(put.body, { ...masked, name: "Shop" });

  const { status, body } = await clientCredentials(app, made.client_id, made.client_secret);
  assert.equal(status, 200);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).body.id, company.admin.id);
  const refused = await app.call(body.access_token, "POST", "/v1/applications", { name: "More" });
  assert.deepEqual([refused.status, refused.body.detail], [403, "A trusted client is required."]);
});

Deno.test("repeating the creation under its key answers the same secret, which is stored sealed", async () => {
  await using app = await startApp();
  const { call, make } = await trustedAdmin(app);
  const key = { "Idempotency-Key": "once" };
  const first = await call("POST", "/v1/applications", { name: "Website" }, key);
  const again = await call("POST", "/v1/applications", { name: "Website" }, key);
  assert.equal(again.text, first.text);
  const other = await make();
  const rotated = await call("POST", `/v1/applications/${other.client_id}/secret`, undefined, {
    "Idempotency-Key": "twice",
  });
  assert.equal(rotated.status, 200, rotated.text);
  const kept = JSON.stringify(await app.sql("select * from idempotency_keys"));
  const rows = JSON.stringify(await app.sql("select * from applications"));
  for (const secret of [first.body.client_secret, other.client_secret, rotated.body.client_secret]) {
    assert.ok(!kept.includes(secret) && !rows.includes(secret));
    assert.ok(!JSON.stringify(app.log.entries).includes(secret));
  }
});

Deno.test("after a rotation both secrets work for 24 hours, then only the new one", async () => {
  await using app = await startApp();
  const { call, make } = await trustedAdmin(app);
  const { client_id, client_secret: before } = await make();
  const { client_secret: after } = (await call("POST", `/v1/applications/${client_id}/secret`)).body;
  assert.notEqual(after, before);
  const statuses = async () => [
    (await clientCredentials(app, client_id, before)).status,
    (await clientCredentials(app, client_id, after)).status,
  ];
  app.clock.move(24 * 3_600_000 - 1);
  assert.deepEqual(await statuses(), [200, 200]);
  app.clock.move(1);
  assert.deepEqual(await statuses(), [401, 200]);
});

Deno.test("of two rotations in a day only the last two secrets work", async () => {
  await using app = await startApp();
  const { call, make } = await trustedAdmin(app);
  const { client_id, client_secret: first } = await make();
  const rotate = async () => (await call("POST", `/v1/applications/${client_id}/secret`)).body.client_secret;
  const [second, third] = [await rotate(), await rotate()];
  const statuses = [];
  for (const secret of [first, second, third]) {
    statuses.push((await clientCredentials(app, client_id, secret)).status);
  }
  assert.deepEqual(statuses, [401, 200, 200]);
});

Deno.test("a deleted application is 404, and its tokens end at once", async () => {
  await using app = await startApp();
  const { call, make } = await trustedAdmin(app);
  const { client_id, client_secret } = await make();
  const { body } = await clientCredentials(app, client_id, client_secret);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 200);
  assert.equal((await call("DELETE", `/v1/applications/${client_id}`)).status, 204);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 401);
  assert.equal((await clientCredentials(app, client_id, client_secret)).status, 401);
  assert.equal((await call("GET", `/v1/applications/${client_id}`)).status, 404);
});

Deno.test("name and redirect_uri have at most 255 characters, the latter is an address without a fragment", async () => {
  await using app = await startApp();
  const { call } = await trustedAdmin(app);
  const uri = (length: number) => "https://example.org/".padEnd(length, "x");
  const post = async (body: object) => {
    const reply = await call("POST", "/v1/applications", body);
    return reply.status === 201 ? 201 : [reply.body.errors[0].path, reply.body.errors[0].code];
  };
  assert.equal(await post({ name: "n".repeat(255), redirect_uri: uri(255) }), 201);
  assert.deepEqual(await post({ name: "n".repeat(256) }), ["name", "max"]);
  assert.deepEqual(await post({}), ["name", "required"]);
  assert.deepEqual(await post({ name: "" }), ["name", "min"]);
  assert.deepEqual(await post({ name: "n", redirect_uri: uri(256) }), ["redirect_uri", "max"]);
  for (const native of ["http://127.0.0.1/back", "http://[::1]:80/back", "com.example.app:/back"]) {
    assert.equal(await post({ name: "n", redirect_uri: native }), 201);
  }
  const wrongs = [
    "example.org",
    "example.org:8080",
    "javascript:alert(1)",
    "app:/back",
    "com.example.app:/back#part",
    "https://example.org/#part",
  ];
  for (const wrong of wrongs) {
    assert.deepEqual(await post({ name: "n", redirect_uri: wrong }), ["redirect_uri", "format"]);
  }
});

Deno.test("a PUT keeps absent fields, null clears redirect_uri, and another version is refused", async () => {
  await using app = await startApp();
  const { call, make } = await trustedAdmin(app);
  const made = await make({ redirect_uri: "https://example.org/back" });
  const path = `/v1/applications/${made.client_id}`;
  const tag = (await call("GET", path)).headers.get("etag")!;
  assert.equal((await call("PUT", path, {}, { "If-Match": tag })).body.redirect_uri, made.redirect_uri);
  const cleared = await call("PUT", path, { redirect_uri: null });
  assert.deepEqual([cleared.body.redirect_uri, cleared.body.name], [null, "Website"]);
  assert.equal((await call("PUT", path, { name: "Late" }, { "If-Match": tag })).status, 412);
  assert.equal((await call("DELETE", path, undefined, { "If-Match": tag })).status, 412);
  assert.equal((await call("PUT", path, { name: null })).body.errors[0].code, "required");
});

/** Gives a client rows of both kinds of tokens, which nobody knows. */
async function addTokens(app: TestApp, clientId: string, userId: number, many: number): Promise<void> {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})`;
  const rest = `'${clientId}', ${userId}`;
  const [access, refresh] = [
    `insert into access_tokens (hash, id, client_id, user_id, expires_at, created_at)
      ${numbers} select '0a' || i, '0a' || i, ${rest}, 9e15, '2026-01-01 00:00:00' from n`,
    `insert into refresh_tokens (hash, client_id, user_id, family_id, expires_at, created_at)
      ${numbers} select '0r' || i, ${rest}, 'f' || i, 9e15, '2026-01-01 00:00:00' from n`,
  ];
  await app.deps.db.write([access, refresh].map((sql) => ({ sql, args: [] })));
}

Deno.test("the tokens of an application that has very many end in several commits", async () => {
  await using app = await startApp();
  const { company, call, make } = await trustedAdmin(app);
  const made = await make();
  await addTokens(app, made.client_id, company.admin.id, 2 * mostTokens + 10);
  const ended: number[] = [];
  const write = app.deps.db.write.bind(app.deps.db);
  app.deps.db.write = async (statements) => {
    const results = await write(statements);
    statements.forEach(({ sql }, place) => {
      if (/^delete from "?(access|refresh)_tokens/.test(sql)) ended.push(results[place]!.changes);
    });
    return results;
  };
  const gone = await call("DELETE", `/v1/applications/${made.client_id}`);
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual(ended, [mostTokens, mostTokens, mostTokens, mostTokens, 10, 10]);
});

Deno.test("an application with very many tokens deletes itself", async () => {
  await using app = await startApp();
  const { company, make } = await trustedAdmin(app);
  const made = await make();
  const own = await clientCredentials(app, made.client_id, made.client_secret);
  await addTokens(app, made.client_id, company.admin.id, mostTokens + 5);
  const gone = await app.call(own.body.access_token, "DELETE", `/v1/applications/${made.client_id}`);
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual(await app.sql("select count(*) as n from refresh_tokens"), [{ n: 0 }]);
});

Deno.test("a token that ended in a step is refused at once, also when the last commit fails", async () => {
  await using app = await startApp();
  const { company, call, make } = await trustedAdmin(app);
  const made = await make();
  const path = `/v1/applications/${made.client_id}`;
  const own = await clientCredentials(app, made.client_id, made.client_secret);
  const useToken = async () => (await app.call(own.body.access_token, "GET", "/v1/me")).status;
  assert.equal(await useToken(), 200);
  await addTokens(app, made.client_id, company.admin.id, 2 * mostTokens);
  const write = app.deps.db.write.bind(app.deps.db);
  app.deps.db.write = (statements) =>
    statements.some(({ sql }) => /^delete from "?applications/.test(sql))
      ? Promise.reject(new DatabaseUnavailable("The disk is full."))
      : write(statements);
  assert.equal((await call("DELETE", path)).status, 503);
  app.deps.db.write = write;
  assert.deepEqual(
    await app.sql("select 1 from access_tokens where client_id = ? and id not like '0a%'", made.client_id),
    [],
  );
  assert.equal(await useToken(), 401);
  assert.equal((await call("DELETE", path)).status, 204);
});

import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { ensureBootstrapClient } from "../../src/identity/applications/bootstrap.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { askToken } from "../support/oauth.ts";

const named = { BOOTSTRAP_CLIENT_ID: "ops", BOOTSTRAP_CLIENT_SECRET: "a secret of sixteen" };

const rows = (app: TestApp) => app.sql("select * from applications order by client_id");

function ask(app: TestApp, secret: string) {
  return askToken(app, { grant_type: "client_credentials", client_id: "ops", client_secret: secret });
}

Deno.test("the configured client is trusted, and has no company and no user", async () => {
  await using app = await startApp(named);
  await ensureBootstrapClient(app.deps);
  const { status, body } = await ask(app, named.BOOTSTRAP_CLIENT_SECRET);
  assert.equal(status, 200);
  const user = { first_name: "A", last_name: "B", email: "a@example.org", password: "correct horse" };
  assert.equal((await app.call(body.access_token, "POST", "/v1/companies", { name: "X", user })).status, 201);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).status, 403);
});

Deno.test("starting again with the same values changes nothing, also at once", async () => {
  await using app = await startApp(named);
  await Promise.all([1, 2, 3].map(() => ensureBootstrapClient(app.deps)));
  const before = await rows(app);
  assert.equal(before.length, 1);
  app.clock.move(60_000);
  await ensureBootstrapClient(app.deps);
  assert.deepEqual(await rows(app), before);
});

Deno.test("another secret replaces the old one", async () => {
  await using app = await startApp(named);
  await ensureBootstrapClient(app.deps);
  const config = loadConfig({ ...named, BOOTSTRAP_CLIENT_SECRET: "another secret of it" });
  await ensureBootstrapClient({ ...app.deps, config });
  assert.deepEqual(
    [(await ask(app, named.BOOTSTRAP_CLIENT_SECRET)).status, (await ask(app, "another secret of it")).status],
    [401, 200],
  );
  assert.equal((await rows(app)).length, 1);
});

Deno.test("without the two variables no client is created", async () => {
  await using app = await startApp();
  await ensureBootstrapClient(app.deps);
  assert.deepEqual(await rows(app), []);
});

Deno.test("a client of a company is never replaced", async () => {
  await using app = await startApp(named);
  const { id, admin } = await app.company();
  await app.deps.db.write([{
    sql:
      "insert into applications (client_id, company_id, user_id, name, secret_hash, secret_hint, created_at, updated_at) " +
      "values ('ops', ?, ?, 'Ours', 'x', 'x', 'x', 'x')",
    args: [id, admin.id],
  }]);
  const before = await rows(app);
  await assert.rejects(ensureBootstrapClient(app.deps), /BOOTSTRAP_CLIENT_ID/);
  assert.deepEqual(await rows(app), before);
});

Deno.test("the client and its tokens are deleted when the variables are unset, and when they name another", async () => {
  const other = { BOOTSTRAP_CLIENT_ID: "other", BOOTSTRAP_CLIENT_SECRET: "a secret of the other" };
  for (const [env, left] of [[{}, []], [other, ["other"]]] as const) {
    await using app = await startApp(named);
    await ensureBootstrapClient(app.deps);
    const { body } = await ask(app, named.BOOTSTRAP_CLIENT_SECRET);
    const calls = () => app.call(body.access_token, "POST", "/v1/companies", {});
    assert.equal((await calls()).status, 422);
    await ensureBootstrapClient({ ...app.deps, config: loadConfig(env) });
    assert.equal((await calls()).status, 401);
    assert.equal((await ask(app, named.BOOTSTRAP_CLIENT_SECRET)).status, 401);
    assert.deepEqual((await rows(app)).map(({ client_id }) => client_id), left);
    assert.deepEqual(await app.sql("select hash from access_tokens"), []);
  }
});

Deno.test("other trusted clients of no company stay when the variables are unset", async () => {
  await using app = await startApp();
  const token = await app.trustedClient();
  await ensureBootstrapClient(app.deps);
  assert.equal((await app.call(token, "POST", "/v1/companies", {})).status, 422);
});

import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { readEvents } from "../sales/parts.ts";

Deno.test("users who lose a deleted role change, each with an event; others stay the same", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const role = async (name: string): Promise<number> =>
    (await admin.call("POST", "/v1/roles", { name, rights: [] })).body.id;
  const [goes, stays] = [await role("Goes"), await role("Stays")];
  const address = (id: number) => `/v1/companies/${company.id}/users/${id}`;
  const user = async (role_ids: number[]) => {
    const { id } = await company.user({ teams: [await company.team()] });
    assert.equal((await admin.call("PUT", address(id), { role_ids })).status, 200);
    return id;
  };
  const [both, one, none] = [await user([goes, stays]), await user([goes]), await user([stays])];
  app.clock.move(60_000);
  const known = (await readEvents(app)).length;
  const untouched = (await admin.call("GET", address(none))).text;
  assert.equal((await admin.call("DELETE", `/v1/roles/${goes}`)).status, 204);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events.map(({ name, body }) => [name, body.id]), [
    ["user_updated", both],
    ["user_updated", one],
  ]);
  for (const { body } of events) {
    const now = (await admin.call("GET", address(body.id))).body;
    assert.deepEqual(now, body);
    assert.deepEqual(now.roles.map(({ id }: Body) => id), body.id === both ? [stays] : []);
  }
  assert.equal((await admin.call("GET", address(none))).text, untouched);
});

Deno.test("a user who gets a role during its deletion loses it with an event, or the call is refused", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { id } = await company.user();
  const address = `/v1/companies/${company.id}/users/${id}`;
  const { body: role } = await admin.call("POST", "/v1/roles", { name: "Goes", rights: [] });
  const reply = await callMeanwhile(app, admin, "DELETE", `/v1/roles/${role.id}`, async () => {
    assert.equal((await admin.call("PUT", address, { role_ids: [role.id] })).status, 200);
  });
  assert.equal(reply.status, 204);
  const { body } = await admin.call("GET", address);
  assert.deepEqual(body.roles, []);
  assert.deepEqual((await readEvents(app)).at(-1), { name: "user_updated", body });
});

Deno.test("a role of very many users is removed from them in batches, with one event for each", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { body: role } = await admin.call("POST", "/v1/roles", { name: "Goes", rights: [] });
  await app.deps.db.write([
    {
      sql:
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 450) insert into users " +
        "(company_id, first_name, last_name, email, email_key, timezone, locale, user_type, created_at, updated_at) " +
        "select company_id, 'Ada', i, 'u' || i || '@example.org', 'u' || i || '@example.org', timezone, locale, 3, " +
        "created_at, updated_at from n, users where id = ?",
      args: [admin.id],
    },
    {
      sql: "insert into user_roles (user_id, role_id) select id, ? from users where id <> ?",
      args: [role.id, admin.id],
    },
  ]);
  const batches: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    batches.push(statements.filter(({ sql }) => sql.startsWith("insert into outbox")).length);
    return await write.call(app.deps.db, statements);
  };
  const key = { "Idempotency-Key": "once" };
  assert.equal((await admin.call("DELETE", `/v1/roles/${role.id}`, undefined, key)).status, 204);
  app.deps.db.write = write;
  assert.deepEqual(batches, [200, 200, 50]);
  const [sent] = await app.sql("select count(*) as n, count(distinct entity_id) as users from outbox");
  assert.deepEqual([sent!.n, sent!.users], [450, 450]);
  assert.deepEqual(await app.sql("select 1 from user_roles"), []);
});

Deno.test("open invitations no longer include a deleted role", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const role = async (name: string): Promise<number> =>
    (await admin.call("POST", "/v1/roles", { name, rights: [] })).body.id;
  const [goes, stays] = [await role("Goes"), await role("Stays")];
  for (const [index, ids] of [[stays, goes], [goes], [stays]].entries()) {
    await app.deps.db.write([{
      sql: "insert into invitations (company_id, email, token_hash, role_ids, team_ids, created_by, " +
        "expires_at, created_at, updated_at) values (?, 'a@example.org', ?, ?, '[]', ?, ?, '', '')",
      args: [id, `${index}`, JSON.stringify(ids), admin.id, app.clock.now() + 1e9],
    }]);
  }
  assert.equal((await admin.call("DELETE", `/v1/roles/${goes}`)).status, 204);
  const rows = await app.sql("select role_ids, version from invitations order by id");
  assert.deepEqual(rows.map(({ role_ids, version }) => [role_ids, version]), [
    [`[${stays}]`, 2],
    ["[]", 2],
    [`[${stays}]`, 1],
  ]);
});

import assert from "node:assert/strict";
import { startApp, type TestApp, type TestCompany } from "../support/app.ts";

/** Adds so many users to the team, active there. */
async function crowd(app: TestApp, company: TestCompany, team: number, size: number): Promise<void> {
  const numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) ";
  await app.deps.db.write([{
    sql: numbers +
      "insert into users (company_id, first_name, last_name, email, email_key, timezone, locale, " +
      "active_team_id, created_at, updated_at) " +
      "select ?, 'U', 'V', i || '@many.example', i || '@many.example', 'UTC', 'en-GB', ?, '', '' from n",
    args: [size, company.id, team],
  }, {
    sql:
      "insert into team_members (user_id, team_id) select id, ? from users where email like '%@many.example'",
    args: [team],
  }]);
}

Deno.test("very many members of a deleted team leave in bounded batches, the caller last", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const team = await company.team({ group_id: group });
  const lead = await company.user({ type: "group_admin", teams: [team] });
  await crowd(app, company, team, 450);
  const sizes: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    const results = await write.call(app.deps.db, statements);
    sizes.push(Math.max(...results.map(({ changes }) => changes)));
    return results;
  };
  const key = { "Idempotency-Key": "once" };
  const remove = async () => (await lead.call("DELETE", `/v1/teams/${team}`, undefined, key)).status;
  assert.equal(await remove(), 204);
  assert.deepEqual(sizes, [200, 200, 51]);
  assert.equal(await remove(), 204, "repeated");
  const reported = "select count(distinct entity_id) as users, count(*) as events from outbox " +
    "where event_name = 'user_updated' and body ->> 'team' is null and body ->> 'teams' = '[]'";
  assert.deepEqual(await app.sql(reported), [{ users: 451, events: 451 }]);
  assert.deepEqual(await app.sql("select * from team_members"), []);
  assert.deepEqual(await app.sql("select * from users where active_team_id is not null"), []);
});

Deno.test("nobody leaves a team of very many members that may not be deleted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  await crowd(app, company, team, 250);
  const etag = { "If-Match": '"another"' };
  assert.equal((await company.admin.call("DELETE", `/v1/teams/${team}`, undefined, etag)).status, 412);
  const successor = `/v1/teams/${team}?assign_to=${team}`;
  assert.equal((await company.admin.call("DELETE", successor)).status, 422);
  assert.deepEqual(await app.sql("select count(*) as n from team_members"), [{ n: 250 }]);
});

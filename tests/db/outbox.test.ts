/** The positions of events, and the teams that their records leave. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrationsFolder } from "../../src/entry/box.ts";
import { readMigrations } from "../../src/platform/database/migration_files.ts";
import { named, world } from "../sales/leads_world.ts";
import { startApp, type TestApp } from "../support/app.ts";

const moves = (app: TestApp, after: number) =>
  app.sql(
    "select event_name, team_id, agency_team_id, team_before, agency_team_before from outbox " +
      "where position > ? order by position",
    after,
  );

Deno.test("an event has the teams that its record leaves, and none when the record stays", async () => {
  await using app = await startApp();
  const { admin, agent, company, dealer, agency, lead } = await world(app);
  const other = await company.team({ name: "Other", team_type: "dealer" });
  const made = async (path: string, body: object) => (await admin.call("POST", path, body)).body;
  const account = await made("/v1/accounts", { team_id: dealer, fixed_fields: named({ name: "Ada Ltd" }) });
  const home = await made("/v1/accounts", { team_id: null, fixed_fields: named({ name: "Home" }) });
  const contact = await made(`/v1/accounts/${account.id}/contacts`, {
    fixed_fields: named({ last_name: "Byron" }),
  });
  const { id } = await lead({ team_id: null });
  const [{ last }] = await app.sql("select max(position) as last from outbox") as [{ last: number }];
  const put = async (path: string, body: object) => {
    const reply = await admin.call("PUT", path, body);
    assert.equal(reply.status, 200, reply.text);
  };
  await put(`/v1/accounts/${account.id}/contacts/${contact.id}`, { account_id: home.id });
  await put(`/v1/accounts/${account.id}`, { team_id: other });
  await put(`/v1/accounts/${account.id}`, { external_id: "stays" });
  await put(`/v1/accounts/${home.id}`, { team_id: dealer });
  const assigned = await agent.call("PUT", `/v1/leads/${id}/assign`, { team_id: other });
  assert.equal(assigned.status, 201, assigned.text);
  const found = (await moves(app, last)).map((row) => Object.values(row));
  assert.deepEqual(found, [
    ["contact_updated", null, null, dealer, 0],
    ["account_updated", other, null, dealer, 0],
    ["account_updated", other, null, null, null],
    ["account_updated", dealer, null, 0, 0],
    ["lead_assigned", other, agency, 0, agency],
  ]);
});

Deno.test("events of a deletion and of a creation move nothing", async () => {
  await using app = await startApp();
  const { admin } = await world(app);
  const account =
    (await admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "Ada Ltd" }) })).body;
  await admin.call("DELETE", `/v1/accounts/${account.id}`);
  assert.ok(
    (await moves(app, 0)).every((row) => row.team_before === null && row.agency_team_before === null),
  );
});

Deno.test("positions are not used again, and events of one commit stand together", async () => {
  await using app = await startApp();
  const { admin } = await world(app);
  const make = (n: number) =>
    admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: `Ada ${n}` }) });
  await Promise.all([1, 2, 3, 4, 5].map(make));
  const [{ last }] = await app.sql("select max(position) as last from outbox") as [{ last: number }];
  await app.deps.db.write([{ sql: "delete from outbox", args: [] }]);
  await make(6);
  const [row] = await app.sql("select position, recorded_at from outbox");
  assert.deepEqual({ ...row }, { position: last + 1, recorded_at: app.clock.now() });
});

Deno.test("events of an older version keep the order in which they were written, and their time", () => {
  const db = new DatabaseSync(":memory:");
  const migrations = readMigrations(migrationsFolder);
  const first = migrations.findIndex(({ tag }) => tag.endsWith("_outbox_positions"));
  const apply = (some: typeof migrations) => {
    for (const { statements } of some) for (const statement of statements) db.exec(statement);
  };
  apply(migrations.slice(0, first));
  const event =
    "insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, body, created_at)";
  for (const id of ["c", "a", "b"]) {
    db.exec(
      `${event} values ('${id}', 1, 'account_created', 'account', 'x', 1, '{}', '2026-03-02 09:00:00')`,
    );
  }
  db.exec("delete from outbox where id = 'a'");
  db.exec("pragma foreign_keys = off");
  apply(migrations.slice(first));
  // The older version may still run beside it.
  db.exec(`${event} values ('0', 1, 'account_created', 'account', 'x', 1, '{}', '2026-03-02 09:00:00')`);
  const rows = db.prepare("select id, recorded_at from outbox order by position").all();
  assert.deepEqual(rows.map(({ id }) => id), ["c", "b", "0"]);
  const at = Date.UTC(2026, 2, 2, 9);
  assert.deepEqual(rows.slice(0, 2).map(({ recorded_at }) => recorded_at), [at, at]);
  assert.ok(Math.abs(Number(rows[2]!.recorded_at) - Date.now()) < 60_000);
  db.close();
});

/** Records that are older than filters which know of letters beyond ASCII. */
import assert from "node:assert/strict";
import { lowerings, runJobs } from "../../src/jobs.ts";
import { lowerOlder, stepRows } from "../../src/customers/filters/lowering.ts";
import type { Statement } from "../../src/platform/database/database.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { named } from "./fields_world.ts";

const tables = ["accounts", "contacts", "leads", "lead_types"];

/** As rows were before there was anything to compare but the text itself. */
async function older(app: TestApp): Promise<void> {
  await app.deps.db.write([
    ...tables.map((table) => ({ sql: `update ${table} set lowered = null`, args: [] })),
    { sql: "delete from lowerings", args: [] },
  ]);
}

async function made(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function totals(by: Actor): Promise<number[]> {
  const asked = [
    ["accounts", "account.name", "ÖL GMBH"],
    ["accounts", "account.name", "ÖZIL"],
    ["contacts", "b2b_contact.fixed_fields.last_name", "ÜNAL"],
    ["contacts", "lead.interest", "ÄPFEL"],
    ["contacts", "lead.lead_type", "ÜBERGABE"],
  ];
  const found: number[] = [];
  for (const [list, field, value] of asked) {
    const filter = [{ field, operator: "eq", value }];
    const { body, text } = await by.call("POST", `/v1/${list}/filter`, { filter });
    assert.ok(body.pagination, text);
    found.push(body.pagination.total);
  }
  return found;
}

async function filled(app: TestApp): Promise<{ admin: Actor; account: string }> {
  const { admin } = await app.company();
  const account = await made(admin, "/v1/accounts", { fixed_fields: named({ name: "Öl GmbH" }) });
  const contact = await made(admin, `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: named({ last_name: "Ünal" }),
  });
  const consumer = await made(admin, "/v1/accounts", { b2c: true });
  await made(admin, `/v1/accounts/${consumer.id}/contacts`, { fixed_fields: named({ last_name: "Özil" }) });
  const path = await made(admin, "/v1/relations-paths", {
    name: "Cars",
    activity_types: { milestones: [{ name: "Offer" }], supportive: [] },
  });
  const type = await made(admin, "/v1/lead-types", { name: "Übergabe", relations_path_ids: [path.id] });
  const team = await made(admin, "/v1/teams", { name: "Agency" });
  await made(admin, "/v1/leads", {
    b2c: false,
    lead_source: "Straße",
    interest: "Äpfel",
    lead_type_id: type.id,
    account_id: account.id,
    contact_id: contact.id,
    agency_team_id: team.id,
  });
  return { admin, account: account.id };
}

Deno.test("a job lets filters compare older texts without regard to case, once, and changes no record", async () => {
  await using app = await startApp();
  const { admin, account } = await filled(app);
  assert.deepEqual(await totals(admin), [1, 1, 1, 1, 1]);
  const kept = await app.sql("select id, lowered from accounts order by id");
  await older(app);
  assert.deepEqual(await totals(admin), [0, 0, 0, 0, 0]);
  const before = await admin.call("GET", `/v1/accounts/${account}`);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await totals(admin), [1, 1, 1, 1, 1]);
  assert.deepEqual(await app.sql("select id, lowered from accounts order by id"), kept);
  const after = await admin.call("GET", `/v1/accounts/${account}`);
  assert.equal(after.headers.get("etag"), before.headers.get("etag"));
  assert.equal(await lowerOlder(app.deps, lowerings), 0);
});

Deno.test("what is written into a new database is not gone through: it has what filters compare", async () => {
  await using app = await startApp();
  await filled(app);
  assert.deepEqual(await app.sql('select "table", done, last from lowerings order by 1'), [
    { table: "accounts", done: 0, last: 0 },
    { table: "contacts", done: 0, last: 0 },
    { table: "lead_types", done: 0, last: 0 },
    { table: "leads", done: 0, last: 0 },
  ]);
  let read = 0;
  const db = {
    ...app.deps.db,
    readAside: (...given: Parameters<typeof app.deps.db.readAside>) => {
      read++;
      return app.deps.db.readAside(...given);
    },
  };
  assert.equal(await lowerOlder({ db }, lowerings), 0);
  assert.equal(read, 0);
});

Deno.test("many older texts are written in steps of a bounded size; a later run goes on where one was broken off", async () => {
  await using app = await startApp();
  const { admin } = await filled(app);
  await app.deps.db.write([{
    sql: "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) " +
      "insert into accounts (id, company_id, name, name_key, last_activity_at, created_at, updated_at) " +
      "select printf('%08d-0000-7000-8000-000000000000', i), ?, 'Ä' || i, '', ?, ?, ? from n",
    args: [2 * stepRows, admin.companyId, ...Array(3).fill("2026-01-01 10:00:00")],
  }]);
  await older(app);
  const sizes: number[] = [];
  let left = 4;
  const db = {
    ...app.deps.db,
    async write(statements: readonly Statement[]) {
      if (left-- === 0) throw new Error("broken off");
      const results = await app.deps.db.write(statements);
      sizes.push(...results.map(({ changes }) => changes));
      return results;
    },
  };
  await assert.rejects(lowerOlder({ db }, lowerings), /broken off/);
  left = Infinity;
  await lowerOlder({ db }, lowerings);
  assert.ok(sizes.every((size) => size <= stepRows), String(sizes));
  const written = sizes.filter((size) => size > 1).reduce((sum, size) => sum + size, 0);
  assert.equal(written, 2 * stepRows + 4, "no row is written twice");
  const lacking = await app.sql(
    "select count(*) as n from accounts where name like 'Ä%' and lowered is null",
  );
  assert.equal(lacking[0]!.n, 0);
});

Deno.test("a record that changes while older texts are read keeps what it is compared by then", async () => {
  await using app = await startApp();
  const { admin, account } = await filled(app);
  await older(app);
  let changes = 1;
  const db = {
    ...app.deps.db,
    async write(statements: readonly Statement[]) {
      const ready = statements.some(({ sql }) => sql.startsWith('update "accounts"'));
      if (ready && changes-- > 0) {
        await admin.call("PUT", `/v1/accounts/${account}`, { fixed_fields: named({ name: "Äpfel KG" }) });
      }
      return await app.deps.db.write(statements);
    },
  };
  await lowerOlder({ db }, lowerings);
  const [row] = await app.sql("select lowered from accounts where id = ?", account);
  assert.deepEqual(JSON.parse(String(row!.lowered)), { name: "äpfel kg" });
  assert.deepEqual(await totals(admin), [0, 1, 1, 1, 1]);
});

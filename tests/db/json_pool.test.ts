import assert from "node:assert/strict";
import { removeUnusedConstants } from "../../src/db/json_pool.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";

Deno.test("long constant parts of bodies are stored once, and a version with other constants reads them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const body = { fixed_fields: [{ name: "name", value: "Ada" }] };
  const [first] = [
    await admin.call("POST", "/v1/accounts", body),
    await admin.call("POST", "/v1/accounts", body),
  ];
  const { deps } = app;
  const [rows, constants] = await deps.db.read([
    { sql: "select body from outbox order by rowid", args: [] },
    { sql: "select name, text from json_pool", args: [] },
  ]);
  assert.equal(constants!.rows.length, 1);
  const kept = String(rows!.rows[0]!.body);
  assert.ok(kept.length < first.text.length / 3);
  assert.equal(await deps.jsonPool.expand(kept), first.text);
  // The text of another version, under a name that this process does not know.
  await deps.db.write([{ sql: "insert into json_pool (name, text) values ('feed', '[7]')", args: [] }]);
  assert.equal(await deps.jsonPool.expand('{"options":\u0001feed\u0001}'), '{"options":[7]}');
  assert.deepEqual(JSON.parse(kept).fixed_fields.length, first.body.fixed_fields.length, "it is JSON itself");
});

/** A field whose options are long in total, and an account that shows it. */
async function withOptions(
  app: TestApp,
  admin: Actor,
): Promise<{ path: string; options: string; account: Body }> {
  const { body: field } = await admin.call("POST", "/v1/fields/account", {
    label: "Fuel",
    type: "single_choice",
  });
  const path = `/v1/fields/account/${field.id}`;
  const options = Array.from({ length: 60 }, (_, n) => ({
    id: `0193b000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    value: `Kind ${n}`,
    sort: null,
  }));
  const sql = "update fields set options = ? where id = ?";
  await app.deps.db.write([{ sql, args: [JSON.stringify(options), field.id] }]);
  // Caches callers again after rows were written directly.
  assert.equal((await admin.call("PUT", path, { label: "Fuel type" })).status, 200);
  const made = await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada" }] });
  assert.equal(made.status, 201, made.text);
  return { path, options: `${path}/options`, account: made.body };
}

const readConstants = (app: TestApp) =>
  app.sql(
    "select name, length(text) as size from json_pool where company_id is not null order by used_at, name",
  );
const bodies = async (app: TestApp) => {
  const [found] = await app.deps.db.read([{ sql: "select body from outbox order by rowid", args: [] }]);
  return found!.rows.map(({ body }) => String(body));
};

Deno.test("the options of a company's field and a lead type are stored once, however many records show them", async () => {
  await using app = await startApp();
  const { admin, lead, body } = await makeSales(app);
  const { options, account } = await withOptions(app, admin);
  const path = `/v1/accounts/${account.id}`;
  for (let n = 0; n < 5; n++) {
    assert.equal((await admin.call("PUT", path, { external_id: `${n}` })).status, 200);
  }
  assert.equal((await readConstants(app)).length, 1);
  assert.equal((await admin.call("POST", options, { value: "One more" })).status, 201);
  const renamed = await admin.call("PUT", path, { external_id: "last" });
  assert.equal((await readConstants(app)).length, 2);
  const kept = await bodies(app);
  assert.equal(await app.deps.jsonPool.expand(kept.at(-1)!), renamed.text);
  assert.ok(kept.every((each) => each.length < 2_500), kept.map(({ length }) => length).join());

  const leads = [await lead(), await lead()];
  assert.equal((await readConstants(app)).length, 3);
  const key = { "Idempotency-Key": "kept" };
  const first = await admin.call("POST", "/v1/leads", body(), key);
  assert.equal((await admin.call("POST", "/v1/leads", body(), key)).text, first.text);
  assert.equal((await readConstants(app)).length, 3);
  assert.ok((await bodies(app)).at(-1)!.length < first.text.length / 2);
  assert.equal(leads[0]!.lead_type.name, "Test drive");
});

Deno.test("a company's constants are kept while an event can have them, and removed afterwards or with the company", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const { options, account } = await withOptions(app, admin);
  const path = `/v1/accounts/${account.id}`;
  const day = 24 * 3_600_000;
  const remove = () => removeUnusedConstants(app.deps, app.clock.now());
  app.clock.move(90 * day);
  assert.equal(await remove(), 0, "the first event is still there");
  assert.equal((await admin.call("POST", options, { value: "One more" })).status, 201);
  const last = await admin.call("PUT", path, { external_id: "last" });
  assert.equal((await readConstants(app)).length, 2);
  const old = "delete from outbox where id < (select max(id) from outbox)";
  await app.deps.db.write([{ sql: old, args: [] }]);
  assert.equal(await remove(), 1);
  assert.equal(await app.deps.jsonPool.expand((await bodies(app))[0]!), last.text);

  // Simulates a process that knows the old text and uses it every day.
  for (let n = 0; n < 4; n++) {
    app.clock.move(day - 3_600_000);
    assert.equal((await admin.call("PUT", path, { external_id: `${n}` })).status, 200);
    await app.deps.db.write([{ sql: old, args: [] }]);
    assert.equal(await remove(), 0);
  }
  const [company] = [await app.sql("select count(*) as n from json_pool where company_id = ?", id)];
  assert.deepEqual(company, [{ n: 1 }]);
  await app.deps.db.write([{ sql: "delete from outbox", args: [] }]);
  app.clock.move(day);
  assert.equal(await remove(), 0, "a stored answer can have it");
  app.clock.move(2 * day);
  assert.equal(await remove(), 1);
  assert.equal((await admin.call("PUT", path, { external_id: "again" })).status, 200);
  assert.equal((await readConstants(app)).length, 1);
});

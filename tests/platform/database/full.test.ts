import assert from "node:assert/strict";
import { type Database, DatabaseFull } from "../../../src/platform/database/database.ts";
import { openFile } from "../../../src/platform/database/file.ts";
import { send, startApp } from "../../support/app.ts";
import { inFolder, onEachEngine } from "../../support/engines.ts";

const large = { sql: "insert into texts values (?)", args: ["x".repeat(100_000)] };
const small = { sql: "insert into texts values ('y')", args: [] };

/** Limits the file to its current pages; `script` removes the limit. */
const fill = (db: Database) => db.script("pragma max_page_count = 1");
const empty = (db: Database) => db.script("pragma max_page_count = 4294967294");

onEachEngine(
  "a write without room fails as full, keeps nothing, and works once there is room",
  async ({ db }) => {
    await db.script("create table texts (text text)");
    await db.write([small]);
    assert.equal(db.isRefusing(), false);
    await fill(db);
    await assert.rejects(db.write([small, large]), DatabaseFull);
    assert.equal(db.isRefusing(), true);
    const [found] = await db.read([{ sql: "select count(*) as n from texts", args: [] }]);
    assert.equal(found!.rows[0]!.n, 1, "reads go on");
    await empty(db);
    await db.write([large]);
    assert.equal(db.isRefusing(), false);
  },
);

Deno.test("a shared commit keeps the batches for which there is room", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/crm.db`);
    await db.script("create table texts (text text)");
    await db.write([small]);
    await fill(db);
    for (let again = 0; again < 2; again++) {
      const outcomes = await Promise.allSettled([small, large, small, large].map((each) => db.write([each])));
      assert.deepEqual(outcomes.map(({ status }) => status), [
        "fulfilled",
        "rejected",
        "fulfilled",
        "rejected",
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") assert.ok(outcome.reason instanceof DatabaseFull, outcome.reason);
      }
    }
    const [found] = await db.read([{ sql: "select count(*) as n from texts", args: [] }]);
    assert.equal(found!.rows[0]!.n, 5);
    await db.close();
  }));

Deno.test("without room a change is 503 unavailable, and works again once there is room", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = { fixed_fields: [{ name: "name", value: "Acme" }] };
  const create = () => admin.call("POST", "/v1/accounts", account, { "Idempotency-Key": "k" });
  const ready = () => send(`${app.url}/ready`, "GET", null);
  await fill(app.deps.db);
  let refused = await create();
  // Free space inside the file is used first.
  for (let n = 0; refused.status === 201 && n < 500; n++) {
    refused = await admin.call("POST", "/v1/accounts", account);
  }
  for (let again = 0; again < 2; again++) {
    assert.deepEqual([refused.status, refused.body.code], [503, "unavailable"], refused.text);
    assert.equal(
      refused.body.detail,
      "The disk of the database is full; nothing was changed. Try again later.",
    );
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    refused = await admin.call("POST", "/v1/accounts", account);
  }
  assert.ok(app.deps.db.isRefusing());
  assert.ok(app.log.entries.some(({ event }) => event === "database_full"));
  assert.equal((await admin.call("GET", "/v1/accounts")).status, 200);
  await empty(app.deps.db);
  assert.equal((await ready()).status, 200);
  assert.equal((await create()).status, 201);
});

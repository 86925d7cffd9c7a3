import assert from "node:assert/strict";
import { stored } from "../../src/db/constants.ts";
import { startApp } from "../support/app.ts";

Deno.test("long constant parts of bodies are stored once, and read back also by a version that has others", async () => {
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
    { sql: "select name, text from constants", args: [] },
  ]);
  assert.equal(constants!.rows.length, 1);
  const kept = String(rows!.rows[0]!.body);
  assert.ok(kept.length < first.text.length / 3);
  assert.equal(await stored(deps.db, kept), first.text);
  // As another version left it: under a name that this process has not made.
  await deps.db.write([{ sql: "insert into constants (name, text) values ('feed', '[7]')", args: [] }]);
  assert.equal(await stored(deps.db, '{"options":\u0001feed\u0001}'), '{"options":[7]}');
});

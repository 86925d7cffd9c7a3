/** What ends an import: its maker, and what is deleted under it. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { awaitEnd, importFile, moveImport, send } from "./imports_world.ts";

Deno.test("a running import is cancelled: counts are what is in", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = ["last_name", ...Array.from({ length: 3000 }, (_, n) => `Name ${n}`)].join("\n");
  const { body } = await send(admin, rows, { entity: "contacts" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const cancelled = await admin.call("POST", `/v1/imports/${body.id}/cancel`);
  assert.equal(cancelled.status, 200, cancelled.text);
  const found = await awaitEnd(app, admin, body.id);
  const total = (await admin.call("GET", "/v1/contacts")).body.pagination.total;
  assert.deepEqual([found.status, found.counts.created], ["cancelled", total]);
  assert.deepEqual(found.counts, cancelled.body.counts);
  const reverted = await moveImport(app, admin, body.id, "revert");
  assert.equal(reverted.reverted.kept, 0);
  assert.equal((await admin.call("GET", "/v1/accounts")).body.pagination.total, 0);
});

Deno.test("a team or a field that goes ends the import", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const team = await company.team();
  const one = await importFile(app, admin, "last_name\nA\n", { dry_run: "true", team_id: String(team) });

  const gone = await admin.call("DELETE", `/v1/teams/${team}?force=true`);
  assert.ok(gone.status < 300, gone.text);
  const failed = await moveImport(app, admin, one.id, "start");
  assert.deepEqual([failed.status, failed.failure.code], ["failed", "team_deleted"]);
  const made = await admin.call("POST", "/v1/fields/contact", { label: "Shoe", type: "text" });
  const two = await importFile(app, admin, "last_name,Shoe\nA,42\n", { dry_run: "true" });
  const removed = await admin.call("DELETE", `/v1/fields/contact/${made.body.id}`);
  assert.ok(removed.status < 300, removed.text);
  const lost = await moveImport(app, admin, two.id, "start");
  assert.deepEqual([lost.status, lost.failure.code], ["failed", "field_deleted"]);
});

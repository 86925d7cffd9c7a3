/** A merge of many records runs in steps, and goes on after a crash. Until it is done both records are locked. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { copy } from "../customers/deletion_world.ts";
import { world } from "../sales/leads_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { answer, customer, made } from "./merges_world.ts";

/** Lets `n` writes of the work succeed, as if the process had died after them. Returns how to go on. */
function dieAfter({ deps: { db } }: TestApp, n: number): () => void {
  const { write } = db;
  let left = Infinity;
  Object.assign(db, {
    write: async (statements: Parameters<typeof write>[0]) => {
      if (left <= 0) throw new DatabaseUnavailable("the process has died");
      left--;
      const results = await write.call(db, statements);
      if (statements.some(({ sql }) => sql.startsWith('insert into "merge_locks"'))) left = n;
      return results;
    },
  });
  return () => Object.assign(db, { write });
}

Deno.test("a large merge locks both records and ends as a small one, wherever its process dies", async () => {
  await using app = await startApp();
  const place = await world(app);
  const { admin } = place;
  const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  for (const steps of [0, 2, 9]) {
    const [a, b] = [await customer(place, `Alpha${steps}`), await customer(place, `Beta${steps}`)];
    await copy(app, "contacts", `x.id = '${b.contacts[0].id}'`, { id, external_id: "null" }, 110);
    const path = `/v1/accounts/${a.account.id}`;
    const goOn = dieAfter(app, steps);
    const merged = await made(
      admin,
      `${path}/merge`,
      { from_id: b.account.id, take: { city: "other" } },
      200,
    );
    goOn();
    assert.equal(merged.moved.contacts, 112);
    if (steps < 9) {
      const refused = [
        await admin.call("PUT", path, { fixed_fields: [{ name: "vat", value: "1" }] }),
        await admin.call("PUT", `/v1/accounts/${b.account.id}`, {
          fixed_fields: [{ name: "vat", value: "1" }],
        }),
        await admin.call("DELETE", `/v1/accounts/${b.account.id}`),
        await admin.call("POST", `${path}/merge`, { from_id: b.account.id }),
        await admin.call("POST", `/v1/merges/${merged.merge_id}/undo`),
      ];
      for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, "merge_running"]);
      app.clock.move(60_000);
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    }
    await app.idle();
    const gone = await admin.call("GET", `/v1/accounts/${b.account.id}`);
    assert.deepEqual([gone.status, gone.body.merged_into], [404, a.account.id]);
    assert.equal((await answer(admin, `${path}/contacts`)).pagination.total, 114);
    const { updated_at: _one, ...record } = await answer(admin, path);
    const { updated_at: _other, ...promised } = merged.record;
    assert.deepEqual(record, promised);
    assert.deepEqual(await app.sql("select count(*) as n from merge_locks"), [{ n: 0 }]);
    const undone = await made(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
    assert.deepEqual(undone, { restored: merged.moved, kept: [] });
    assert.equal((await answer(admin, `/v1/accounts/${b.account.id}/contacts`)).pagination.total, 112);
  }
});

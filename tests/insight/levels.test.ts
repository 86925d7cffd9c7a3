/** The levels of reports are those of the records; a missing fact is found. */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { startApp } from "../support/app.ts";
import { checkLevels } from "../support/levels.ts";
import { makeSales } from "../sales/leads_world.ts";
import { newCase, newPath } from "../sales/parts.ts";
import { plan } from "../sales/tasks_world.ts";

Deno.test("levels are those of the records, and a missing fact is found", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const path = await newPath(place.admin);
  const made = await newCase(place.member, path);
  await plan(place.member, path, made.id);
  await place.lead();
  app.clock.move(3 * 86_400_000);
  assert.ok(await checkLevels(app.deps) > 8);
  for (const kind of ["account", "contact", "lead_open", "case_open", "task_overdue", "user_team"] as const) {
    const of = `kind = ${factKinds[kind]}`;
    const run = (sql: string) => app.deps.db.write([{ sql, args: [] }]);
    await run(`create table kept as select * from facts where ${of}`);
    await run(`delete from facts where seq = (select max(seq) from facts where ${of})`);
    await assert.rejects(checkLevels(app.deps), kind);
    await run(`insert into facts select * from kept where seq not in (select seq from facts)`);
    await run("drop table kept");
    await checkLevels(app.deps);
  }
});

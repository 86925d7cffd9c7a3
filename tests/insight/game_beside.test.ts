/** A read of a long game does not delay other calls. */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { startMeasured } from "../support/turns.ts";

Deno.test("while the level of a user with 20,000 facts since the last job is worked out, others are served", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const { server, calmest } = await startMeasured(app);
  try {
    const read = async (what: "level" | "badges") => {
      const headers = { Authorization: `Bearer ${admin.token}` };
      const answer = await fetch(`${server.url}/v1/gamification/${what}`, { headers });
      return [answer.status, await answer.json()];
    };
    await app.deps.db.write([
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into facts (company_id, kind, at, recorded_at, user_id, zone, flags, weight)
      select ${id}, ${factKinds.activity}, 1700000000 + i * 600, 1700000000 + i * 600, ${admin.id},
        'Europe/Berlin', 0, 1 from n`,
    ]);
    // The first call does work that runs once per process, so it is not measured.
    const [, { points }] = await read("level");
    // 20,000 activities, and badges for 100 points each.
    assert.ok(points > 100_000, String(points));
    const answers: unknown[] = [];
    const { most } = await calmest(async () => {
      for (const what of ["level", "badges"] as const) answers.push((await read(what))[0]);
    });
    assert.deepEqual(answers, Array(6).fill(200));
    assert.ok(most < 50, `the longest turn takes ${most} ms`);
  } finally {
    await server.kill();
  }
});

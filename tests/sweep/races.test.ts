import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { fill } from "./place.ts";
import {
  countTables,
  keptText,
  prepare,
  repeatable,
  sendPrepared,
  startApp,
  startServer,
  sweep,
} from "./sweep.ts";
import { takeSample } from "../support/sample.ts";

Deno.test("every write sent twenty times at once under one key, to two processes on one file, has one effect", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  // Twenty calls take twenty hashes, of which one is stored.
  const quick = { PASSWORDS: "quick" };
  const servers = await Promise.all([startServer(app, quick), startServer(app, quick)]);
  try {
    await sweep(t, takeSample(repeatable), app, async (endpoint, at) => {
      const alone = await prepare(place, endpoint);
      let before = await countTables(app);
      const once = await sendPrepared(servers[0]!.url, alone, { "Idempotency-Key": `key-${place.next()}` });
      assert.ok(once.status < 300, `${at}: ${once.text}`);
      const effect = difference(before, await settledCounts(app));

      const call = await prepare(place, endpoint);
      const headers = { "Idempotency-Key": `key-${place.next()}` };
      before = await countTables(app);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => sendPrepared(servers[n % 2]!.url, call, headers)),
      );
      const fresh = replies.filter((reply) => reply.headers.get("idempotent-replayed") === null);
      const shown = replies.map(({ status, text }) => `${status} ${text.slice(0, 300)}`).join("\n");
      assert.equal(fresh.length, 1, `${at}:\n${shown}`);
      for (const { status, text, headers } of replies) {
        assert.equal(status, fresh[0]!.status, `${at}:\n${shown}`);
        assert.equal(keptText(text), keptText(fresh[0]!.text), at);
        assert.equal(headers.get("etag"), fresh[0]!.headers.get("etag"), at);
      }
      assert.equal(fresh[0]!.status, once.status, at);
      assert.deepEqual(difference(before, await settledCounts(app)), effect, at);
    });
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
});

/**
 * Counts the rows when the background work is done: the processes write the files of exports, deliver
 * reports and import rows after their answers.
 */
async function settledCounts(app: TestApp): Promise<Record<string, number>> {
  const isDone = async () =>
    (await app.sql(`select 1 from report_exports where due_at is not null union all
      select 1 from exports where due_at is not null union all
      select 1 from scheduled_reports where wanted_at is not null or due_at is not null union all
      select 1 from staged_work where kind = 'import'`)).length === 0;
  while (!await isDone()) await new Promise((resolve) => setTimeout(resolve, 10));
  return await countTables(app);
}

/**
 * Returns the number of new rows of each table. Leaves out tables without a change. Also leaves out the pool
 * of JSON that bodies share and the sets of properties that facts share, which only the first call writes,
 * and the counters of limits, which many calls share.
 */
function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const tables = Object.keys(after).filter((table) =>
    table !== "json_pool" && table !== "fact_dims" && table !== "attempts" && after[table] !== before[table]
  );
  return Object.fromEntries(tables.map((table) => [table, after[table]! - before[table]!]));
}

/** The largest answers of reports keep no other call waiting, and end at a size. */
import assert from "node:assert/strict";
import { indicators } from "../../src/insight/indicators/catalogue.ts";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { startMeasured } from "../support/turns.ts";

/** 69 indicators on 720 days: just below the 50,000 figures that an answer may have. */
const largest = new URLSearchParams({
  indicators: indicators.map(({ name }) => name).join(),
  group_by: "company",
  interval: "day",
  start_at: "2024-01-01 00:00:00",
  end_at: "2025-12-20 00:00:00",
});

Deno.test("while eight of the largest time series are read at once, others are served", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { server, waits } = await startMeasured(app);
  try {
    const read = async () => {
      const headers = { Authorization: `Bearer ${admin.token}` };
      const answer = await fetch(`${server.url}/v1/reports/time-series?${largest}`, { headers });
      const { data } = await answer.json();
      return [answer.status, data.length > 49_000];
    };
    // What runs once in a process is measured elsewhere.
    await read();
    let answers: unknown[] = [];
    const { p95, most } = await waits(async () => {
      answers = await Promise.all(Array.from({ length: 8 }, read));
    });
    assert.deepEqual(answers, Array(8).fill([200, true]));
    assert.ok(p95 < 100, `p95 ${p95} ms, longest turn ${most} ms`);
  } finally {
    await server.kill();
  }
});

Deno.test("an answer that long names make too large is refused by name", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  // Longer than the API takes: six groups with names make rows of this size.
  await app.deps.db.write([sql`update companies set name = ${"x".repeat(500)} where id = ${company.id}`]);
  const { status, body } = await admin.call("GET", `/v1/reports/time-series?${largest}`);
  assert.deepEqual([status, body.errors?.map(({ path, code }: Record<string, string>) => [path, code])], [
    422,
    [["query.group_by", "max"]],
  ]);
  assert.match(body.detail, /25 MiB/);
});

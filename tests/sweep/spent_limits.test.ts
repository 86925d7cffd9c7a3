/** Calls that count for a limit of a user, a company or an address. */
import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { takeSample } from "../support/sample.ts";
import { fill } from "./place.ts";
import { assertProblem, endpoints, isSuccess, prepare, sendPrepared, sweep } from "./sweep.ts";

/** The counts of all limits by key. */
async function readCounters(app: TestApp): Promise<string> {
  return JSON.stringify(await app.sql("select key, failures from attempts order by key"));
}

Deno.test("a call beyond its limit is 429 with the time to wait, alone and beside others", async (t) => {
  const many = { WEBHOOK_LIMIT: "100000", MAIL_USER_LIMIT: "100000", MAIL_COMPANY_LIMIT: "100000" };
  await using app = await startApp(many);
  const place = await fill(app);
  const found: string[] = [];
  const tried = takeSample(endpoints);
  await sweep(t, tried, app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const before = await readCounters(app);
    const first = await sendPrepared(app.url, call);
    await app.idle();
    if (!isSuccess(first) || before === await readCounters(app)) return;
    found.push(endpoint.declared.operation);
    const calls = [];
    for (let n = 0; n < 4; n++) calls.push(await prepare(place, endpoint));
    await app.deps.db.write([sql`update attempts set failures = 1000000000`]);
    try {
      const alone = await sendPrepared(app.url, calls.pop()!);
      const together = await Promise.all(calls.map((call) => sendPrepared(app.url, call)));
      for (const reply of [alone, ...together]) {
        assert.equal(reply.status, 429, `${at}: ${reply.text}`);
        assert.ok(Number(reply.headers.get("retry-after")) > 0, at);
        assertProblem(reply, at);
      }
    } finally {
      await app.deps.db.write([sql`delete from attempts`]);
    }
  });
  for (
    const expected of [
      "createExport",
      "createInvitation",
      "createChart",
      "previewTemplate",
      "testNewCampaign",
    ]
  ) {
    if (!tried.some(({ declared }) => declared.operation === expected)) continue;
    assert.ok(found.includes(expected), `${expected} is among ${found.join(", ")}`);
  }
});

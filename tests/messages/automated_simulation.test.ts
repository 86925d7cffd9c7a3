/**
 * Automated communications behave like the model in generated histories: each is queued once, at its minute, or
 * skipped for its reason. `AUTOMATED_RUNS` sets the number of histories.
 */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { checkRecount } from "../support/recount.ts";
import fc, { propertySeed } from "../support/properties.ts";
import { history } from "./automated/histories.ts";
import { play } from "./automated/play.ts";

const runs = Number(Deno.env.get("AUTOMATED_RUNS") ?? 12);
/** Histories of one database, which keeps databases small. */
const most = 100;

Deno.test("automated communications are queued once and at their minute, or skipped for their reason", async () => {
  const all = new Map<string, number>();
  for (let from = 0; from < runs; from += most) {
    await using app = await startApp();
    const property = fc.asyncProperty(history, async (given) => {
      for (const [end, count] of await play(app, given)) all.set(end, (all.get(end) ?? 0) + count);
    });
    const { failed, seed, errorInstance } = await fc.check(property, {
      numRuns: Math.min(most, runs - from),
      endOnFailure: true,
      ...(propertySeed !== undefined && { seed: propertySeed + from }),
    });
    // The generated history is too long to read; the error explains itself.
    if (failed) throw new Error(`with the seed ${seed}`, { cause: errorInstance });
    assert.ok(await checkRecount(app.deps) > 0);
  }
  const ends = ["cancelled", "case_moved", "deleted", "no_address", "no_consent", "past", "sent"];
  assert.deepEqual([...all.keys()].sort(), ends);
});

/**
 * Leads behave like the model in generated histories: countdowns over weekends and clock changes, jumps of
 * time, two servers that also run the timers, restarts, a runner that dies, and simultaneous calls. Some
 * sequential order must explain the result of simultaneous calls. `SIMULATION_RUNS` sets the number of
 * histories. A long run records its figures.
 */
import assert from "node:assert/strict";
import { addFigures, type Figures, keep, readFigures } from "./simulation/figures.ts";
import fc, { propertySeed } from "../support/properties.ts";
import { startApp } from "../support/app.ts";
import { checkRecount } from "../support/recount.ts";
import { makeHistories } from "./simulation/histories.ts";
import { play, Servers } from "./simulation/run.ts";

const runs = Number(Deno.env.get("SIMULATION_RUNS") ?? 50);
/** Companies in one database under one clock. */
const together = 25;
/** Histories per database, which keeps databases small. */
const most = 500;
/** Simultaneous databases: one runs while another waits for the disk. */
const lanes = 4;
/** A run with at least this many histories records its figures. */
const long = 20_000;

Deno.test("a lead has one team or waits for the agency, and each timer moves it once and on time", async () => {
  const begun = Date.now();
  const all: Figures[] = [];
  const starts = Array.from({ length: Math.ceil(runs / most) }, (_, number) => number * most);
  const lane = async () => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
      all.push(await playHistories(Math.min(most, runs - from), from));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (runs >= long) keep(runs, addFigures(all), Date.now() - begun);
});

/** Plays histories on a new database. `from` is the number of earlier histories. */
async function playHistories(count: number, from: number): Promise<Figures> {
  await using app = await startApp();
  const servers = await Servers.of(app);
  try {
    const property = fc.asyncProperty(makeHistories(together), (generated) => play(app, servers, generated));
    const numRuns = Math.ceil(count / together);
    const { failed, seed, errorInstance } = await fc.check(property, {
      numRuns,
      endOnFailure: true,
      ...(propertySeed !== undefined && { seed: propertySeed + from }),
    });
    // The generated history is too long to read; the error explains itself.
    if (failed) throw new Error(`with the seed ${seed}`, { cause: errorInstance });
    const figures = await readFigures(app);
    assert.ok(await checkRecount(app.deps) > 0);
    return figures;
  } finally {
    await servers.close();
  }
}

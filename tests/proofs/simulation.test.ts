/**
 * Leads live as the model says: generated histories of companies side by side, with countdowns over weekends
 * and changes of the clocks, jumps of the time, two servers that also run the timers, restarts, a runner that
 * dies in the middle, and calls at once. Whatever happens at once must be explained by an order one after the
 * other. `SIMULATION_RUNS` sets how many histories there are; of a long run the figures are kept.
 */
import { type Figures, figuresOf, keep, sum } from "./simulation/figures.ts";
import fc, { propertySeed } from "../support/properties.ts";
import { startApp } from "../support/app.ts";
import { histories } from "./simulation/histories.ts";
import { play, Servers } from "./simulation/run.ts";

const runs = Number(Deno.env.get("SIMULATION_RUNS") ?? 500);
/** Companies in one database under one clock. */
const together = 25;
/** Histories after which a new database is begun, so that none grows large. */
const most = 500;
/** Databases at once: one waits for its disk while another goes on. */
const lanes = 4;
/** Histories of a run whose figures are kept. */
const long = 20_000;

Deno.test("leads are held by one team or wait for the agency, and every timer moves them once, never early and never late", async () => {
  const begun = Date.now();
  const all: Figures[] = [];
  const starts = Array.from({ length: Math.ceil(runs / most) }, (_, number) => number * most);
  const lane = async () => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
      all.push(await played(Math.min(most, runs - from), from));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (runs >= long) keep(runs, sum(all), Date.now() - begun);
});

/** `from`: how many there were before. */
async function played(count: number, from: number): Promise<Figures> {
  await using app = await startApp();
  const servers = await Servers.of(app);
  try {
    const property = fc.asyncProperty(histories(together), (generated) => play(app, servers, generated));
    const numRuns = Math.ceil(count / together);
    const { failed, seed, errorInstance } = await fc.check(property, {
      numRuns,
      endOnFailure: true,
      ...(propertySeed !== undefined && { seed: propertySeed + from }),
    });
    // What was generated is too long to be read; what went wrong tells of itself.
    if (failed) throw new Error(`with the seed ${seed}`, { cause: errorInstance });
    return await figuresOf(app);
  } finally {
    await servers.close();
  }
}

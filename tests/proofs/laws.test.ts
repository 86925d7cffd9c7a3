/**
 * Seven users of two companies create, update, move and delete records, and jobs run with later times in
 * between. After every step the laws hold: a change has exactly its events, a mirror kept from events equals
 * the API, and a refused call changes nothing.
 */
import assert from "node:assert/strict";
import fc, { propertySeed } from "../support/properties.ts";
import { startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { deeds } from "./laws/deeds.ts";
import { Observer } from "./laws/observe.ts";
import { type Step, Walk } from "./laws/walk.ts";

/** The number of steps of all walks. */
const steps = Number(Deno.env.get("LAW_STEPS") ?? 750);
/** Everything is compared after this many steps; 1 finds the step that broke a law. */
const every = Number(Deno.env.get("LAW_EVERY") ?? 40);
/** The number of steps of a walk. Each walk has its own companies. */
const length = 250;
/** The number of walks on one database. */
const walks = 40;

const some = fc.nat(1000);
const deed: fc.Arbitrary<Step> = fc.record({
  what: fc.constant("deed" as const),
  deed: fc.oneof(
    ...Object.entries(deeds).map(([name, [weight]]) => ({ arbitrary: fc.constant(name), weight })),
  ),
  how: fc.constantFrom<"plain" | "twice" | "stale">(
    ...Array<"plain">(12).fill("plain"),
    "twice",
    "twice",
    "stale",
  ),
  who: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 6),
  record: some,
  other: some,
  way: some,
});
const jobs: fc.Arbitrary<Step> = fc.record({
  what: fc.constant("jobs" as const),
  minutes: fc.constantFrom(10, 61, 61, 121, 600),
});
const pause: fc.Arbitrary<Step> = fc.record({ what: fc.constant("pause" as const), who: fc.nat(6) });
const step = fc.oneof(
  { arbitrary: deed, weight: 30 },
  { arbitrary: jobs, weight: 3 },
  { arbitrary: pause, weight: 1 },
);

Deno.test(`the laws of events, reads and visibility hold after each of ${steps} steps`, async () => {
  const done = new Set<string>();
  const runs = Math.ceil(steps / length);
  for (let run = 0; run < runs; run += walks) {
    await walkAll(
      Math.min(walks, runs - run),
      propertySeed === undefined ? undefined : propertySeed + run,
      done,
    );
  }
  // Otherwise the test proves little.
  assert.deepEqual(Object.keys(deeds).filter((name) => !done.has(name)), [], "actions that never succeeded");
});

async function walkAll(numRuns: number, seed: number | undefined, done: Set<string>): Promise<void> {
  await using app = await startApp();
  using observer = new Observer(app.file);
  const target = startTarget({ path: "" });
  const property = fc.asyncProperty(
    fc.array(step, { minLength: length, maxLength: length }),
    async (chosen) => {
      const walk = await Walk.start(app, observer, target);
      try {
        for (const each of chosen) await walk.step(each, every);
        await walk.end();
      } catch (error) {
        throw new Error(`after\n  ${walk.trace.slice(-every - 3).join("\n  ")}`, { cause: error });
      }
      for (const deed of walk.done) done.add(deed);
    },
  );
  try {
    // A walk is not shrunk: its last steps show the fault.
    await fc.assert(property, { numRuns, endOnFailure: true, ...(seed === undefined ? {} : { seed }) });
  } finally {
    await target.close();
  }
  assert.ok(app.log.entries.every(({ level }) => level !== "error"));
}

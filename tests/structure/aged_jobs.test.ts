/** Jobs that end what is old get a moment that is behind the clock after a pause of the jobs; see `db/ageing.ts`. */
import assert from "node:assert/strict";
import { resolveGiven } from "../../src/contributions.ts";
import { features } from "../../src/features.ts";
import { readSources } from "./imports.ts";

const sources = readSources(new URL("../../", import.meta.url));

/** What judges whether a stored moment is still to come, and what gives a change its time. */
const takesPresent = /\b(?:furthest|isStillAhead|isAhead|isPast|isLeased|unlessLeased|commit)\(/;

Deno.test("jobs that end what is old take the present from the clock", () => {
  const jobs = features.flatMap(({ jobs }) => jobs ? Object.keys(resolveGiven(jobs).ends ?? {}) : []);
  assert.ok(jobs.includes("removeObjects") && jobs.includes("removeOldExports"), jobs.join(" "));
  const found = jobs.map((job) => ({
    job,
    source: sources.find(({ text }) => new RegExp(`export async function ${job}\\b`).test(text)),
  }));
  assert.deepEqual(found.filter(({ source }) => !source).map(({ job }) => job), []);
  const wrong = found.filter(({ source }) =>
    takesPresent.test(source!.text) && !source!.text.includes("readPresent(")
  );
  assert.deepEqual(wrong.map(({ job, source }) => `${source!.path}: ${job}`), []);
});

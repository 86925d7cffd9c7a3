import assert from "node:assert/strict";
import { pickSample, samplesOfWhole } from "./sample.ts";

const items = Array.from({ length: 23 }, (_, index) => index);

Deno.test("the samples together are the whole, and each item is in one", () => {
  const samples = Array.from({ length: samplesOfWhole }, (_, sample) => pickSample(items, String(sample)));
  assert.deepEqual(samples.flat().toSorted((one, other) => one - other), items);
  for (const sample of samples) assert.ok(sample.length >= Math.floor(items.length / samplesOfWhole));
});

Deno.test("without a sample all are tried, and a sample that is no number is refused", () => {
  assert.deepEqual(pickSample(items, ""), items);
  assert.deepEqual(pickSample(items, "6"), pickSample(items, "2"));
  for (const sample of ["x", "-1", "1.5"]) assert.throws(() => pickSample(items, sample), /SAMPLE/);
});

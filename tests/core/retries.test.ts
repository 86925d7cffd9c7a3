/** Attempts whose wait a clock cut short do not count. */
import assert from "node:assert/strict";
import { longestRetry, mostAttempts, planRetry } from "../../src/core/retries.ts";
import { makeWatchedClock } from "../../src/platform/clock.ts";

const minute = 60_000;

/** A clock whose time passes with `pass` and is set with `set`. */
function makeClock() {
  let [shown, passed] = [Date.UTC(2026, 2, 2, 9), 0];
  const clock = makeWatchedClock(() => shown, () => passed);
  return {
    ...clock,
    pass(ms: number) {
      shown += ms;
      passed += ms;
      clock.now();
    },
    set(by: number) {
      shown += by;
      clock.now();
    },
  };
}

Deno.test("a clock notices that it is set, forwards and back, and not that time passes", () => {
  const clock = makeClock();
  assert.equal(clock.steadyFor!(), Infinity);
  clock.pass(100 * minute);
  clock.set(1_000);
  assert.equal(clock.steadyFor!(), Infinity);
  for (const by of [2_880 * minute, -2_880 * minute]) {
    clock.set(by);
    assert.equal(clock.steadyFor!(), 0);
    clock.pass(5 * minute);
    assert.equal(clock.steadyFor!(), 5 * minute);
  }
});

Deno.test("an attempt whose wait a set clock cut short does not count, and its wait begins again", () => {
  const clock = makeClock();
  const plan = (number: number) => {
    const planned = planRetry(number, clock);
    return planned && [(planned.due - clock.now()) / minute, planned.counts];
  };
  assert.deepEqual([1, 2, 10, 11].map(plan), [[1, true], [2, true], [512, true], null]);
  clock.set(2_880 * minute);
  // Nothing was waited for before the first attempt.
  assert.deepEqual([1, 2, 5, 11].map(plan), [[1, true], [1, false], [8, false], [512, false]]);
  clock.pass(8 * minute);
  assert.deepEqual([2, 5, 6].map(plan), [[2, true], [16, true], [16, false]]);
  clock.pass(longestRetry);
  assert.deepEqual(plan(mostAttempts), null);
  assert.deepEqual(planRetry(5, clock, { most: 5 }), null);
});

Deno.test("attempts on a machine that is suspended several times a day end", () => {
  const clock = makeClock();
  const hour = 60 * minute;
  const start = clock.now();
  let [number, made] = [1, 0];
  for (let due: number | null = start; due !== null && made < 200; made++) {
    // It runs for three hours, then shows a time that is two hours later.
    while (clock.now() < due) {
      clock.pass(3 * hour);
      clock.set(2 * hour);
    }
    const planned = planRetry(number, clock);
    if (planned?.counts) number++;
    due = planned && planned.due;
  }
  assert.equal(number, mostAttempts);
  assert.ok(made < 50, String(made));
  // A month later it is watched again.
  clock.pass(28 * 24 * hour);
  clock.set(2 * hour);
  assert.equal(clock.steadyFor!(), 0);
});

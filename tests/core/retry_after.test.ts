import assert from "node:assert/strict";
import { planRetry } from "../../src/core/retries.ts";
import { retryAfter } from "../../src/core/retry_after.ts";

const now = Date.UTC(2026, 2, 2, 9, 0, 0);
const minute = 60_000;

Deno.test("Retry-After is seconds from now", () => {
  assert.equal(retryAfter("120", now), now + 2 * minute);
  assert.equal(retryAfter(" 0 ", now), now);
  assert.ok(retryAfter("9".repeat(400), now)! > now + 1_000_000 * minute);
});

Deno.test("Retry-After is a date in each form that HTTP knows", () => {
  const then = Date.UTC(2026, 2, 6, 9, 30, 5);
  for (
    const date of [
      "Fri, 06 Mar 2026 09:30:05 GMT",
      "Friday, 06-Mar-26 09:30:05 GMT",
      "Fri Mar  6 09:30:05 2026",
    ]
  ) {
    assert.equal(retryAfter(date, now), then, date);
  }
  // Two digits are the past once they would be more than fifty years ahead.
  assert.equal(retryAfter("Sunday, 06-Nov-94 08:49:37 GMT", now), Date.UTC(1994, 10, 6, 8, 49, 37));
  assert.equal(retryAfter("Friday, 06-Mar-76 09:30:05 GMT", now), Date.UTC(2076, 2, 6, 9, 30, 5));
});

Deno.test("any other Retry-After is ignored", () => {
  const garbage = [
    null,
    "",
    "-5",
    "1.5",
    "1e3",
    "soon",
    "2026-03-06 09:30:05",
    "Fri, 31 Feb 2026 09:30:05 GMT",
    "Fri, 06 Mar 2026 25:30:05 GMT",
    "Fri, 06 Foo 2026 09:30:05 GMT",
    "Fri, 06 Mar 2026 09:30:05 PST",
    "120, 240",
  ];
  for (const header of garbage) assert.equal(retryAfter(header, now), null, String(header));
});

Deno.test("a target can delay the next attempt up to the longest wait, and cannot bring it forward", () => {
  const next = (number: number, notBefore: number) =>
    planRetry(number, { now: () => now }, { notBefore })?.due ?? null;
  const after = (number: number, minutes: number) => (next(number, now + minutes * minute)! - now) / minute;
  assert.deepEqual([after(1, 0), after(1, 30), after(1, 512), after(1, 5_000)], [1, 30, 512, 512]);
  assert.deepEqual([after(9, 30), after(9, 300), after(10, 9_000)], [256, 300, 512]);
  assert.equal(next(1, now - 60 * minute), now + minute);
  assert.equal(next(11, now + minute), null);
});

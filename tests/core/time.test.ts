import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import {
  addMinutes,
  computeCountdownEnd,
  computeZoneOffset,
  formatDate,
  formatTimestamp,
  maxCountdownMinutes,
  parseDate,
  parseTimestamp,
} from "../../src/core/time.ts";
import { processorTime } from "../support/processor_time.ts";

function at(text: string): number {
  const ms = parseTimestamp(text);
  assert.notEqual(ms, null, text);
  return ms ?? NaN;
}

Deno.test("a timestamp is written as Y-m-d H:i:s in UTC, as the platform's own calendar has it", () => {
  assert.equal(formatTimestamp(0), "1970-01-01 00:00:00");
  assert.equal(formatTimestamp(-1), "1969-12-31 23:59:59");
  assert.equal(formatTimestamp(Date.UTC(2024, 1, 29, 23, 59, 59, 999)), "2024-02-29 23:59:59");
  assert.equal(formatDate(Date.UTC(2024, 1, 29, 23, 59, 59, 999)), "2024-02-29");
  fc.assert(fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (ms) => {
    const text = formatTimestamp(ms);
    assert.equal(text, new Date(ms).toISOString().slice(0, 19).replace("T", " "));
    assert.equal(parseTimestamp(text), Math.floor(ms / 1000) * 1000);
  }));
});

Deno.test("a timestamp is read from Y-m-d H:i:s, or RFC 3339 with its offset converted", () => {
  const cases: [string, string][] = [
    ["2026-01-31 10:00:00", "2026-01-31 10:00:00"],
    ["2026-01-31T10:00:00Z", "2026-01-31 10:00:00"],
    ["2026-01-31t10:00:00z", "2026-01-31 10:00:00"],
    ["2026-01-31 10:00:00Z", "2026-01-31 10:00:00"],
    ["2026-01-31T10:00:00.987654Z", "2026-01-31 10:00:00"],
    ["2026-01-31T10:00:00+02:00", "2026-01-31 08:00:00"],
    ["2026-01-31T22:30:00-05:30", "2026-02-01 04:00:00"],
    ["2024-03-01T00:30:00+01:00", "2024-02-29 23:30:00"],
    ["2026-01-31T10:00:00-00:00", "2026-01-31 10:00:00"],
    ["0099-12-31 23:59:59", "0099-12-31 23:59:59"],
  ];
  for (const [text, utc] of cases) assert.equal(formatTimestamp(at(text)), utc, text);
});

Deno.test("a timestamp of another form, or that does not exist, is null", () => {
  const wrong = [
    "",
    "2026-01-31",
    "2026-01-31T10:00:00",
    "2026-01-31 10:00",
    "2026-1-31 10:00:00",
    "2026-02-29 10:00:00",
    "1900-02-29 10:00:00",
    "2026-04-31T10:00:00Z",
    "2026-00-10 10:00:00",
    "2026-13-01 10:00:00",
    "2026-01-00 10:00:00",
    "2026-01-31 24:00:00",
    "2026-01-31 23:60:00",
    "2026-01-31 23:59:60",
    "2026-01-31T10:00:00+24:00",
    "2026-01-31T10:00:00+02:60",
    "2026-01-31T10:00:00+0200",
    "2026-01-31 10:00:00 ",
    "2026-01-31 10:00:00\n",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "+02026-01-31 10:00:00",
  ];
  for (const text of wrong) assert.equal(parseTimestamp(text), null, text);
});

Deno.test("a date is Y-m-d and exists", () => {
  for (const text of ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"]) {
    assert.equal(parseDate(text), text);
  }
  for (
    const text of ["2023-02-29", "2100-02-29", "2023-06-31", "2023-6-3", "2023-06-03 ", "03-06-2023", ""]
  ) {
    assert.equal(parseDate(text), null, text);
  }
});

Deno.test("the offset of a zone depends on the moment", () => {
  assert.equal(computeZoneOffset("UTC", at("2026-07-01 00:00:00")), 0);
  assert.equal(computeZoneOffset("Europe/Berlin", at("2026-03-29 00:59:59")), 3600);
  assert.equal(computeZoneOffset("Europe/Berlin", at("2026-03-29 01:00:00")), 7200);
  assert.equal(computeZoneOffset("Asia/Kathmandu", at("2026-01-01 00:00:00")), 20_700);
  assert.equal(computeZoneOffset("America/St_Johns", at("2026-01-01 00:00:00")), -12_600);
  assert.throws(() => computeZoneOffset("Mars/Olympus", 0), RangeError);
});

Deno.test("a countdown that ignores weekends counts no minute of a local Saturday or Sunday", () => {
  const cases: [start: string, minutes: number, zone: string, end: string][] = [
    // 2026-01-02 is a Friday
    ["2026-01-01 12:00:00", 30, "UTC", "2026-01-01 12:30:00"],
    ["2026-01-02 23:30:00", 29, "UTC", "2026-01-02 23:59:00"],
    ["2026-01-02 23:30:00", 30, "UTC", "2026-01-03 00:00:00"],
    ["2026-01-02 23:30:00", 31, "UTC", "2026-01-05 00:01:00"],
    ["2026-01-02 23:30:17", 31, "UTC", "2026-01-05 00:01:17"],
    ["2026-01-03 15:00:00", 60, "UTC", "2026-01-05 01:00:00"],
    ["2026-01-04 23:59:00", 1, "UTC", "2026-01-05 00:01:00"],
    ["2026-01-03 15:00:00", 0, "UTC", "2026-01-03 15:00:00"],
    ["2026-01-01 12:00:00", 5 * 1440, "UTC", "2026-01-08 12:00:00"],
    ["2026-01-01 12:00:00", 4 * 5 * 1440, "UTC", "2026-01-29 12:00:00"],
    // Saturday comes earlier in the east and later in the west
    ["2026-01-02 10:30:00", 60, "Pacific/Auckland", "2026-01-04 11:30:00"],
    ["2026-01-03 04:30:00", 60, "America/New_York", "2026-01-05 05:30:00"],
    ["2026-01-02 18:00:00", 60, "Asia/Kathmandu", "2026-01-04 19:00:00"],
    // clocks go forward on Sunday: the weekend is 47 hours
    ["2026-03-27 22:30:00", 60, "Europe/Berlin", "2026-03-29 22:30:00"],
    ["2026-03-29 00:30:00", 60, "Europe/Berlin", "2026-03-29 23:00:00"],
    // clocks go back on Sunday: the weekend is 49 hours
    ["2026-10-23 21:30:00", 60, "Europe/Berlin", "2026-10-25 23:30:00"],
    ["2026-10-25 00:30:00", 60, "Europe/Berlin", "2026-10-26 00:00:00"],
    ["2026-11-01 05:30:00", 60, "America/New_York", "2026-11-02 06:00:00"],
    // clocks went forward at midnight into the Saturday, which began at 01:00
    ["2021-03-26 21:30:00", 60, "Asia/Gaza", "2021-03-28 21:30:00"],
    // clocks go forward on a working day: the hour that does not exist is no minute to count
    ["2026-04-23 21:00:00", 90, "Africa/Cairo", "2026-04-23 22:30:00"],
  ];
  for (const [start, minutes, timeZone, end] of cases) {
    const due = computeCountdownEnd(at(start), minutes, { ignoreWeekends: true, timeZone });
    assert.equal(formatTimestamp(due), end, `${start} +${minutes} ${timeZone}`);
  }
});

Deno.test("a countdown that counts weekends is plain addition", () => {
  const due = computeCountdownEnd(at("2026-01-02 23:30:00"), 31, {
    ignoreWeekends: false,
    timeZone: "Europe/Berlin",
  });
  assert.equal(formatTimestamp(due), "2026-01-03 00:01:00");
  assert.equal(addMinutes(0, 1.5), 90_000);
});

Deno.test("a countdown ends where walking minute by minute on the local calendar ends", () => {
  const zones = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Gaza",
    "Pacific/Apia",
  ];
  const shown = new Map(zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" }),
  ]));
  const from = at("2010-01-01 00:00:00") / 60_000;
  const until = at("2030-01-01 00:00:00") / 60_000;
  const changes = [
    "2026-03-27 12:00:00",
    "2026-10-23 12:00:00",
    "2011-12-29 12:00:00",
    "2021-03-25 12:00:00",
  ];
  const starts = fc.oneof(
    fc.integer({ min: from, max: until }),
    fc.tuple(fc.constantFrom(...changes), fc.integer({ min: 0, max: 3000 })).map(([t, m]) =>
      at(t) / 60_000 + m
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      starts,
      fc.integer({ min: 0, max: 3000 }),
      (timeZone, start, minutes) => {
        let minute = start;
        let left = minutes;
        while (left > 0) {
          if (!shown.get(timeZone)?.format(minute * 60_000).startsWith("S")) left -= 1;
          minute += 1;
        }
        const due = computeCountdownEnd(start * 60_000, minutes, { ignoreWeekends: true, timeZone });
        assert.equal(formatTimestamp(due), formatTimestamp(minute * 60_000));
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("a countdown of ten years is quick, and a longer or negative one throws", async () => {
  const options = { ignoreWeekends: true, timeZone: "America/Sao_Paulo" };
  let due = 0;
  const took = await processorTime(() => {
    due = computeCountdownEnd(at("2010-01-04 12:00:00"), maxCountdownMinutes, options);
  });
  assert.ok(took < 500, `${took} ms`);
  // 730 weeks of five days. São Paulo had summer time at the start and has none any more.
  assert.equal(formatTimestamp(due), "2024-01-01 13:00:00");
  assert.throws(() => computeCountdownEnd(0, maxCountdownMinutes + 1, options), RangeError);
  assert.throws(() => computeCountdownEnd(0, -1, options), RangeError);
  assert.throws(() => computeCountdownEnd(0, NaN, options), RangeError);
});

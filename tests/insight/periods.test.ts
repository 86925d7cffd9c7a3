/** The calendar of scheduled reports, over three years of a virtual clock. */
import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import {
  dayAt,
  deliveryMoment,
  dueAt,
  firstDay,
  frequencies,
  type Frequency,
  nextDay,
  periodBefore,
} from "../../src/insight/scheduled/periods.ts";

const zones = [
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
];
const minute = 60_000;
const day = 24 * 60 * minute;
const begin = Date.UTC(2024, 5, 12, 10, 30);
const end = begin + 3 * 366 * day;

const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
  ]),
);

/** Returns the local time in the zone. */
function formatLocal(zone: string, ms: number): string {
  return clocks.get(zone)!.format(ms);
}

const isFirst: Readonly<Record<Frequency, (date: string) => boolean>> = {
  day: () => true,
  week: (date) => new Date(`${date}T00:00:00Z`).getUTCDay() === 1,
  month: (date) => date.endsWith("-01"),
  quarter: (date) => /-(01|04|07|10)-01$/.test(date),
  year: (date) => date.endsWith("-01-01"),
};

Deno.test("over three years each period comes once, at 06:00 by the clocks of the zone", () => {
  for (const zone of zones) {
    for (const frequency of frequencies) {
      let next = nextDay(frequency, dayAt(zone, begin));
      let ended: number | null = null;
      const delivered: string[] = [];
      // A job runs every ten minutes.
      for (let now = begin; now < end; now += 10 * minute) {
        if (deliveryMoment(zone, next) > now) {
          // Nothing happens before the moment, so go there.
          now = Math.max(now, deliveryMoment(zone, next) - 10 * minute);
          assert.equal(dueAt(frequency, zone, next, now).due, null);
          continue;
        }
        const found = dueAt(frequency, zone, next, now);
        assert.equal(found.due, next);
        assert.ok(isFirst[frequency](next), `${frequency} ${next}`);
        const moment = deliveryMoment(zone, next);
        assert.equal(formatLocal(zone, moment), `${next} 06:00:00`);
        const period = periodBefore(frequency, zone, next);
        assert.equal(formatLocal(zone, period.end * 1000).slice(0, 10), next);
        // The periods follow one another without a gap.
        if (ended !== null) assert.equal(period.start, ended);
        ended = period.end;
        delivered.push(next);
        next = found.next;
      }
      assert.equal(new Set(delivered).size, delivered.length);
      const least = { day: 1090, week: 155, month: 35, quarter: 11, year: 3 }[frequency];
      assert.ok(delivered.length >= least, `${zone} ${frequency}: ${delivered.length}`);
    }
  }
});

Deno.test("after a pause only the last period whose moment has passed is due, and the calendar goes on after it", () => {
  const pauses = fc.array(fc.integer({ min: 1, max: 200 * 24 * 60 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...frequencies),
      pauses,
      (zone, frequency, waits) => {
        let now = begin;
        let next = nextDay(frequency, dayAt(zone, now));
        let last = "";
        for (const wait of waits) {
          now += wait * minute;
          const found = dueAt(frequency, zone, next, now);
          if (found.due === null) {
            assert.ok(deliveryMoment(zone, next) > now);
            assert.equal(found.next, next);
            continue;
          }
          assert.ok(found.due > last, "no period twice");
          assert.ok(found.due >= next);
          assert.ok(deliveryMoment(zone, found.due) <= now);
          assert.ok(deliveryMoment(zone, found.next) > now, "the one after it is still to come");
          assert.equal(found.due, firstDay(frequency, found.due));
          assert.equal(found.next, nextDay(frequency, found.due));
          last = found.due;
          next = found.next;
        }
      },
    ),
    { numRuns: 300 },
  );
});

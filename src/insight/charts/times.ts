/** Chooses the intervals of a time axis that have a label, and the texts of the labels. */
import { computeZoneOffset } from "../../core/time.ts";
import type { Place } from "../../messages/placeholders/format.ts";
import type { Interval } from "../reports/intervals.ts";
import type { TimeAxis } from "./chart.ts";

export interface TimeLabel {
  readonly index: number;
  readonly text: string;
}

/** Steps between labels, from fine to coarse: units of the calendar, each with its multiples. */
const steps: readonly (readonly [Interval, readonly number[]])[] = [
  ["second", [1, 5, 15, 30]],
  ["minute", [1, 5, 15, 30]],
  ["hour", [1, 3, 6, 12]],
  ["day", [1, 2]],
  ["week", [1, 2]],
  ["month", [1, 3, 6]],
  ["quarter", [1, 2]],
  ["year", [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]],
];

/**
 * Returns at most `most` labels that have room beside each other, at the beginnings of seconds, minutes,
 * hours, days, weeks, months or years.
 */
export function makeTimeLabels(
  { interval, bounds }: TimeAxis,
  { locale, timezone }: Place,
  most: number,
  fit: (labels: readonly TimeLabel[]) => boolean = () => true,
): TimeLabel[] {
  const local = bounds.map((bound) => bound + computeZoneOffset(timezone, bound * 1000));
  const finest = steps.findIndex(([unit]) => unit === interval);
  for (const [unit, strides] of steps.slice(finest)) {
    if (unit === "quarter" && interval !== "quarter") continue;
    for (const stride of strides) {
      const marked = listMarked(local, unit, stride);
      if (marked.length > 0 && marked.length <= most) {
        const write = chooseLabel(unit, locale, timezone);
        const labels = marked.map((index, nth) => ({
          index,
          text: write(bounds[index]!, local[index]!, nth === 0),
        }));
        if (fit(labels)) return labels;
      }
    }
  }
  return [{ index: 0, text: chooseLabel(interval, locale, timezone)(bounds[0]!, local[0]!, true) }];
}

/** The intervals that begin a new unit. */
function listMarked(local: readonly number[], unit: Interval, stride: number): number[] {
  const marked: number[] = [];
  let before = computeOrdinal(unit, local[0]! - 1);
  for (let index = 0; index < local.length - 1; index++) {
    const now = computeOrdinal(unit, local[index]!);
    if (now !== before && now % stride === 0) marked.push(index);
    before = now;
  }
  return marked;
}

const day = 86_400;

/** The number of the unit that a local moment (seconds as if the zone were UTC) is in. */
function computeOrdinal(unit: Interval, local: number): number {
  switch (unit) {
    case "second":
      return local;
    case "minute":
      return Math.floor(local / 60);
    case "hour":
      return Math.floor(local / 3_600);
    case "day":
      return Math.floor(local / day);
    case "week":
      // 1970-01-01 was a Thursday.
      return Math.floor((local / day + 3) / 7);
  }
  const date = new Date(local * 1000);
  const year = date.getUTCFullYear();
  const months = year * 12 + date.getUTCMonth();
  return unit === "year" ? year : unit === "quarter" ? Math.floor(months / 3) : months;
}

type Write = (bound: number, local: number, isFirst: boolean) => string;

function chooseLabel(unit: Interval, locale: string, timeZone: string): Write {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return (bound: number) => made.format(bound * 1000);
  };
  const date = format({ day: "numeric", month: "short" });
  switch (unit) {
    case "year":
      return format({ year: "numeric" });
    case "quarter":
      return (_, local) => {
        const shown = new Date(local * 1000);
        return `Q${Math.floor(shown.getUTCMonth() / 3) + 1} ${shown.getUTCFullYear()}`;
      };
    case "month": {
      const [month, withYear] = [format({ month: "short" }), format({ month: "short", year: "numeric" })];
      return (bound, local, isFirst) =>
        isFirst || new Date(local * 1000).getUTCMonth() === 0 ? withYear(bound) : month(bound);
    }
    case "week":
    case "day":
      return date;
    default: {
      const time = format(
        unit === "second"
          ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
          : { hour: "2-digit", minute: "2-digit" },
      );
      return (bound, local) => local % day === 0 ? date(bound) : time(bound);
    }
  }
}

/** Returns how an interval is named in words. */
export function intervalName(interval: Interval, { locale, timezone }: Place): (bound: number) => string {
  if (interval === "quarter") {
    const write = chooseLabel("quarter", locale, timezone);
    return (bound) => write(bound, bound + computeZoneOffset(timezone, bound * 1000), true);
  }
  const format = new Intl.DateTimeFormat(locale, { timeZone: timezone, ...named[interval] });
  return (bound) => format.format(bound * 1000);
}

const dated = { dateStyle: "medium" } as const;
const named: Readonly<Record<Exclude<Interval, "quarter">, Intl.DateTimeFormatOptions>> = {
  year: { year: "numeric" },
  month: { month: "long", year: "numeric" },
  week: dated,
  day: dated,
  hour: { dateStyle: "medium", timeStyle: "short" },
  minute: { dateStyle: "medium", timeStyle: "short" },
  second: { dateStyle: "medium", timeStyle: "medium" },
};

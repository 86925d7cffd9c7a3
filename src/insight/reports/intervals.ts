/** Intervals of time series: whole ones by the calendar and the clock of a time zone. Pure. Epoch seconds. */
import { findFirstMoment } from "../../core/local_time.ts";
import { computeZoneOffset, firstMomentMs, lastMomentMs, makeUtcDate } from "../../core/time.ts";

export const intervals = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
export type Interval = (typeof intervals)[number];

const day = 86_400;
const quarterHour = 900;
/** The seconds that timestamps can express. */
const earliest = firstMomentMs / 1000;
const latest = Math.floor(lastMomentMs / 1000);

/**
 * Returns the beginnings of the intervals that [start, end) touches, and the end of the last one. Null for
 * more than `most` intervals. Weeks begin on Mondays, quarters with January. An hour that a change of the
 * clock repeats occurs twice. An interval that begins before the year 0 or ends after 9999 is cut.
 */
export function computeBounds(
  timeZone: string,
  interval: Interval,
  start: number,
  end: number,
  most: number,
): number[] | null {
  // Refuses a long time early, without computing its intervals.
  if ((end - start) / longest[interval] > most) return null;
  const bounds = [Math.max(earliest, findStart(timeZone, interval, start))];
  while (bounds.at(-1)! < end) {
    if (bounds.length > most) return null;
    bounds.push(Math.min(latest, findNextBound(timeZone, interval, bounds.at(-1)!)));
  }
  return bounds;
}

/** The longest that an interval takes, in seconds. */
const longest: Readonly<Record<Interval, number>> = {
  year: 367 * day,
  quarter: 93 * day,
  month: 32 * day,
  week: 8 * day,
  day: 2 * day,
  hour: 2 * 3_600,
  minute: 60,
  second: 1,
};

/** Returns the same time of day `months` months before; the last day of the month where it has no such day. */
export function computeMonthsBefore(timeZone: string, at: number, months: number): number {
  const local = new Date(toLocalSeconds(timeZone, at) * 1000);
  const first = makeUtcDate(local.getUTCFullYear(), local.getUTCMonth() - months, 1);
  const date = new Date(first);
  const days = new Date(makeUtcDate(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const time = takeRemainder(local.getTime() / 1000, day);
  const seconds = first / 1000 + (Math.min(local.getUTCDate(), days) - 1) * day + time;
  return findFirstMoment(timeZone, seconds * 1000) / 1000;
}

function findStart(timeZone: string, interval: Interval, at: number): number {
  if (interval === "second") return at;
  if (interval === "minute") return at - takeRemainder(at, 60);
  if (interval === "hour") {
    let bound = at - takeRemainder(at, quarterHour);
    while (!isHour(timeZone, bound)) bound -= quarterHour;
    return bound;
  }
  return findFirstMoment(timeZone, findCalendarStart(interval, toLocalSeconds(timeZone, at), 0) * 1000) /
    1000;
}

function findNextBound(timeZone: string, interval: Interval, bound: number): number {
  if (interval === "second") return bound + 1;
  if (interval === "minute") return bound + 60;
  if (interval === "hour") {
    let next = bound + quarterHour;
    while (!isHour(timeZone, next)) next += quarterHour;
    return next;
  }
  return findFirstMoment(timeZone, findCalendarStart(interval, toLocalSeconds(timeZone, bound), 1) * 1000) /
    1000;
}

/** Whether an hour begins by the local clock: at a full hour, or where the clock jumps into the next. */
function isHour(timeZone: string, at: number): boolean {
  const local = toLocalSeconds(timeZone, at);
  return local % 3_600 === 0 ||
    Math.floor(local / 3_600) > Math.floor(toLocalSeconds(timeZone, at - quarterHour) / 3_600);
}

/** How far a number is past the last multiple of `length`; of moments before 1970, too, which are negative. */
function takeRemainder(value: number, length: number): number {
  return ((value % length) + length) % length;
}

/** Returns the local time, in seconds as if the zone were UTC. */
function toLocalSeconds(timeZone: string, at: number): number {
  return at + computeZoneOffset(timeZone, at * 1000);
}

/**
 * Returns the local midnight that begins the interval of a local moment, or the interval `later` intervals
 * after it.
 */
function findCalendarStart(interval: Interval, local: number, later: number): number {
  const date = new Date(local * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const today = Math.floor(local / day);
  const first = (of: number) => makeUtcDate(year, of, 1) / 1000;
  switch (interval) {
    case "year":
      return first(12 * later);
    case "quarter":
      return first(month - month % 3 + 3 * later);
    case "month":
      return first(month + later);
    case "week":
      // 1970-01-01 was a Thursday.
      return (today - takeRemainder(today + 3, 7) + 7 * later) * day;
    default:
      return (today + later) * day;
  }
}

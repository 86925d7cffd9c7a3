/** Calendar intervals in a time zone, found by asking the runtime for local times. */

export const intervals = ["year", "quarter", "month", "week", "day", "hour"] as const;
export type Interval = (typeof intervals)[number];

export interface Span {
  readonly start: number;
  readonly end: number;
}

const day = 86_400;
const quarterHour = 900;
const longest: Readonly<Record<Interval, number>> = {
  year: 367 * day,
  quarter: 93 * day,
  month: 32 * day,
  week: 8 * day,
  day: 2 * day,
  hour: 7_200,
};
/** Seconds that are less than any interval takes: quarters of an hour, times a power of two. */
const shortest: Readonly<Record<Interval, number>> = {
  year: 1024 * quarterHour,
  quarter: 1024 * quarterHour,
  month: 1024 * quarterHour,
  week: 256 * quarterHour,
  day: 32 * quarterHour,
  hour: quarterHour,
};
const known = new Map<string, number>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** The whole intervals that [start, end) touches. Epoch seconds. */
export function listIntervals(zone: string, interval: Interval, start: number, end: number): Span[] {
  const bounds: number[] = [];
  const step = shortest[interval];
  for (let at = start - start % quarterHour - longest[interval]; (bounds.at(-1) ?? 0) < end; at += step) {
    bounds.push(...changes(zone, interval, at, at + step));
  }
  return bounds.slice(0, -1).map((bound, index) => ({ start: bound, end: bounds[index + 1]! }))
    .filter((span) => span.end > start && span.start < end);
}

/**
 * Returns where intervals begin after `from` and until `to`: where their name changes. There is no such moment
 * if both ends have the same name, because they are closer to each other than any interval is long.
 */
function changes(zone: string, interval: Interval, from: number, to: number): number[] {
  if (nameInterval(zone, interval, from) === nameInterval(zone, interval, to)) return [];
  if (to - from === quarterHour) return [to];
  const middle = (from + to) / 2;
  return [...changes(zone, interval, from, middle), ...changes(zone, interval, middle, to)];
}

function nameInterval(zone: string, interval: Interval, at: number): string {
  const local = getLocal(zone, at);
  const date = new Date(local * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (interval) {
    case "year":
      return `${year}`;
    case "quarter":
      return `${year} ${Math.floor(month / 3)}`;
    case "month":
      return `${year} ${month}`;
    case "week":
      return `${Math.floor((Math.floor(local / day) + 3) / 7)}`;
    case "day":
      return `${Math.floor(local / day)}`;
    case "hour":
      // An hour that clocks repeat counts as two hours.
      return `${Math.floor(local / 3_600)} ${local - at}`;
  }
}

/** Returns the local time of a moment as if it were UTC, in epoch seconds. */
function getLocal(zone: string, at: number): number {
  const key = `${zone} ${at}`;
  const local = known.get(key) ?? computeLocal(zone, at);
  known.set(key, local);
  return local;
}

function computeLocal(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    const number = "numeric";
    format = new Intl.DateTimeFormat("en", {
      timeZone: zone,
      hourCycle: "h23",
      ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(
    format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second) / 1000;
}

/** Timestamps, dates and countdowns. A moment is milliseconds since 1970 in UTC. */

const secondMs = 1000;
export const minuteMs = 60 * secondMs;
const quarterHourMs = 15 * minuteMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** The moments that a timestamp can express: from 0000-01-01 00:00:00 to the end of 9999-12-31. */
export const firstMomentMs = -62_167_219_200_000;
export const lastMomentMs = 253_402_300_799_999;

/** The longest countdown in minutes: ten years. */
export const maxCountdownMinutes = 5_256_000;

/** Returns a moment as `Y-m-d H:i:s` in UTC; years 0000 to 9999. Truncates fractions of a second. */
export function formatTimestamp(ms: number): string {
  const day = Math.floor(ms / dayMs);
  const second = Math.floor((ms - day * dayMs) / secondMs);
  const minute = Math.floor(second / 60);
  const seconds = twoDigits[second % 60];
  return `${formatDay(day)} ${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${seconds}`;
}

/** Returns the UTC day of a moment as `Y-m-d`. */
export function formatDate(ms: number): string {
  return formatDay(Math.floor(ms / dayMs));
}

/**
 * Parses `Y-m-d H:i:s` (UTC) or RFC 3339 with `Z` or an offset. Truncates fractions of a second, so that the
 * stored moment is the one shown. Returns null for other text and for moments that do not exist.
 */
export function parseTimestamp(text: string): number | null {
  const match = timestampForm.exec(text) ?? rfc3339Form.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, sign, zoneHour = 0, zoneMinute = 0] = match;
  const days = findDay(Number(year), Number(month), Number(day));
  if (days === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return null;
  const ahead = (sign === "-" ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute));
  const minutes = Number(hour) * 60 + Number(minute) - ahead;
  const ms = days * dayMs + minutes * minuteMs + Number(second) * secondMs;
  return ms < firstMomentMs || ms > lastMomentMs ? null : ms;
}

/** Returns the text when it is an existing day as `Y-m-d`, else null. */
export function parseDate(text: string): string | null {
  const match = dateForm.exec(text);
  if (match === null) return null;
  return findDay(Number(match[1]), Number(match[2]), Number(match[3])) === null ? null : text;
}

/** Returns the moment (epoch milliseconds) so many minutes later. */
export function addMinutes(ms: number, minutes: number): number {
  return ms + minutes * minuteMs;
}

/**
 * Returns the seconds that an IANA zone is ahead of UTC at a moment. Throws RangeError for an unknown zone.
 */
export function computeZoneOffset(timeZone: string, ms: number): number {
  const quarter = Math.floor(ms / quarterHourMs);
  const zone = zones.get(timeZone) ?? openZone(timeZone);
  const kept = zone.offsets.get(quarter);
  if (kept !== undefined) return kept;
  const offset = readOffset(zone.format, quarter * quarterHourMs);
  if (zone.offsets.size >= maxCachedOffsets) zone.offsets.clear();
  zone.offsets.set(quarter, offset);
  return offset;
}

/**
 * Returns the moment when a countdown of `minutes` from `startMs` ends. `ignoreWeekends` excludes Saturdays
 * and Sundays of the time zone, also across changes of daylight saving. Pure. Throws RangeError for an
 * unknown zone or minutes outside 0 to `maxCountdownMinutes`.
 */
export function computeCountdownEnd(
  startMs: number,
  minutes: number,
  { ignoreWeekends, timeZone }: { ignoreWeekends: boolean; timeZone: string },
): number {
  if (!(minutes >= 0 && minutes <= maxCountdownMinutes)) throw new RangeError(`${minutes} minutes`);
  if (!ignoreWeekends) return startMs + minutes * minuteMs;
  let at = startMs;
  let left = minutes * minuteMs;
  while (left > 0) {
    const { weekend, end } = findStretch(timeZone, at);
    if (!weekend) {
      if (left <= end - at) return at + left;
      left -= end - at;
    }
    at = end;
  }
  return at;
}

const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/;
const timestampForm = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
const rfc3339Form = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const maxCachedDays = 4096;
const maxCachedOffsets = 1024;
const maxCachedZones = 1024;

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const dayTexts = new Map<number, string>();

function formatDay(day: number): string {
  const kept = dayTexts.get(day);
  if (kept !== undefined) return kept;
  const text = new Date(day * dayMs).toISOString().slice(0, 10);
  if (dayTexts.size >= maxCachedDays) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

/** Returns the days since 1970 of a calendar day; null when it does not exist. */
function findDay(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC reads the years 0 to 99 as 1900 to 1999
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / dayMs : null;
}

interface Zone {
  format: Intl.DateTimeFormat;
  /** Offsets by quarter of an hour, because zones change their clocks only at the start of one. */
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

function openZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  // Names are valid in any case, so callers could spell one zone in many ways.
  if (zones.size >= maxCachedZones) zones.clear();
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(timeZone, zone);
  return zone;
}

/** Epoch milliseconds of a date in UTC. `Date.UTC` alone reads the years 0 to 99 as 1900 to 1999. */
export function makeUtcDate(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** No zone has changed its offset before this moment. `Intl` counts years before year 1 backwards. */
const earliest = Date.UTC(1000, 0, 1);

function readOffset(format: Intl.DateTimeFormat, ms: number): number {
  const at = Math.max(ms, earliest);
  const field: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const part of format.formatToParts(at)) field[part.type] = Number(part.value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
  return (Date.UTC(year, month - 1, day, hour, minute, second) - at) / secondMs;
}

/**
 * Returns whether `at` is on a weekend, and the end of that weekend or working week, or the clock change
 * before it.
 */
function findStretch(timeZone: string, at: number): { weekend: boolean; end: number } {
  const offset = computeZoneOffset(timeZone, at) * secondMs;
  const local = at + offset;
  const day = Math.floor(local / dayMs);
  const weekday = (((day + 4) % 7) + 7) % 7; // 1970-01-01 was a Thursday
  const weekend = weekday === 0 || weekday === 6;
  const days = weekday === 6 ? 2 : weekday === 0 ? 1 : 6 - weekday;
  const end = (day + days) * dayMs - offset;
  if (computeZoneOffset(timeZone, end) * secondMs === offset) return { weekend, end };
  return { weekend, end: Math.min(end, findNextChange(timeZone, at, end)) };
}

/** Returns the first quarter of an hour after `from`, up to `until`, with another offset than `from`. */
function findNextChange(timeZone: string, from: number, until: number): number {
  const offset = computeZoneOffset(timeZone, from);
  let same = Math.floor(from / quarterHourMs);
  let other = Math.floor(until / quarterHourMs);
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (computeZoneOffset(timeZone, middle * quarterHourMs) === offset) same = middle;
    else other = middle;
  }
  return other * quarterHourMs;
}

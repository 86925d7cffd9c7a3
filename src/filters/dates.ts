/** Dates of filters: absolute ones, and relative ones such as `NOW-3M`. */
import { formatDate, formatTimestamp, parseDate, parseTimestamp } from "../core/time.ts";

/**
 * A date of a filter as it is compared: a timestamp, or for a field of dates its day in UTC. `now`: epoch
 * milliseconds that relative ones are counted from. Null: it has no such form, or there is no such moment.
 */
export function readMoment(text: string, type: "timestamp" | "date", now: number): string | null {
  if (type === "date" && parseDate(text) !== null) return text;
  const ms = text.startsWith("NOW") ? relative(text, now) : parseTimestamp(text);
  if (ms === null) return null;
  return type === "date" ? formatDate(ms) : formatTimestamp(ms);
}

const form = /^NOW(?:([+-])(\d{1,15})([yMwdhms]))?$/;
const seconds: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };
const first = Date.parse("0000-01-01T00:00:00Z");
const last = Date.UTC(9999, 11, 31, 23, 59, 59);

function relative(text: string, now: number): number | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, sign, digits, unit] = match;
  if (!unit) return now;
  const amount = (sign === "-" ? -1 : 1) * Number(digits);
  const ms = unit === "y" || unit === "M"
    ? addMonths(now, unit === "y" ? amount * 12 : amount)
    : now + amount * seconds[unit]! * 1000;
  return ms >= first && ms <= last ? ms : null;
}

/** The same day of another month, or its last one where it is shorter. */
function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(ms);
  lastDay.setUTCDate(1);
  lastDay.setUTCMonth(month + 1, 0);
  const day = Math.min(date.getUTCDate(), lastDay.getUTCDate());
  date.setUTCDate(1);
  date.setUTCMonth(month, day);
  return date.getTime();
}

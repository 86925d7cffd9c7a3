/** Reads dates in the orders that spreadsheets write them in. */
import { findFirstMoment } from "../../core/local_time.ts";
import { dayMs, parseDate, parseTimestamp } from "../../core/time.ts";

export const dateOrders = ["ymd", "dmy", "mdy"] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Day 0 of a spreadsheet's serial days, from the first of March 1900 on. */
const serialOrigin = Date.UTC(1899, 11, 30);
/** The day that spreadsheets count although 1900 had none: the 29th of February. */
const uncounted = 60;

const parted = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/;

/** The order of a locale, such as `de-DE`. */
export function findDateOrder(locale: string): DateOrder {
  const parts = new Intl.DateTimeFormat(locale, { calendar: "gregory" }).formatToParts(0)
    .map(({ type }) => type).filter((type) => type === "year" || type === "month" || type === "day");
  if (parts[0] === "year") return "ymd";
  return parts[0] === "month" ? "mdy" : "dmy";
}

/**
 * Returns a day as `Y-m-d`: `Y-m-d` itself, day, month and year of four digits in the given order, or the
 * serial day of a spreadsheet. Returns null for other text.
 */
export function readDate(text: string, order: DateOrder): string | null {
  const given = text.trim();
  if (/^\d+$/.test(given)) return findSerialDay(Number(given));
  const match = parted.exec(given);
  if (!match) return null;
  const [first, , second, third] = match.slice(1) as [string, string, string, string];
  if (first.length === 4) return findExistingDay(first, second, third);
  if (third.length !== 4 || order === "ymd") return null;
  return order === "dmy" ? findExistingDay(third, second, first) : findExistingDay(third, first, second);
}

/** Whether a text is the empty day, with or without a time: databases write it for a moment that is not known. */
export function isEmptyDay(text: string): boolean {
  return /^0000[./-]00[./-]00(?:[ T]+00:00(?::00(?:\.0+)?)?)?$/.test(text.trim());
}

/**
 * Returns a moment in milliseconds: a timestamp of the API, or a date with a time behind it by the clocks of
 * the zone. Returns null for other text.
 */
export function readTimestamp(text: string, order: DateOrder, timeZone: string): number | null {
  const given = text.trim();
  const own = parseTimestamp(given);
  if (own !== null) return own;
  // The date has no `T`: a part that could also match what follows it would be tried at each of its ends.
  const match = /^([^\sT]+)(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(given);
  if (!match) return null;
  const [, date, hours = "0", minutes = "0", seconds = "0"] = match;
  const read = readDate(date!, order);
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (!read || hour > 23 || minute > 59 || second > 59) return null;
  const local = Date.parse(`${read}T00:00:00Z`) + ((hour * 60 + minute) * 60 + second) * 1_000;
  return findFirstMoment(timeZone, local);
}

/** Finds the order of a column: one that alone reads all of its values. */
export class OrderJudge {
  readonly #reads = new Set<DateOrder>(["dmy", "mdy"]);
  #isAsked = false;

  /** Takes a value of the column, with or without a time. */
  add(text: string): void {
    const [date = ""] = text.trim().split(/[ T]/);
    if (!parted.test(date) || /^\d{4}/.test(date)) return;
    this.#isAsked = true;
    for (const order of this.#reads) {
      if (readDate(date, order) === null) this.#reads.delete(order);
    }
  }

  /** The only order that reads all values; null when several do, or none. */
  get order(): DateOrder | null {
    return this.#isAsked && this.#reads.size === 1 ? [...this.#reads][0]! : null;
  }
}

function findExistingDay(year: string, month: string, dayOfMonth: string): string | null {
  if (dayOfMonth.length > 2 || month.length > 2) return null;
  return parseDate(`${year}-${month.padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`);
}

function findSerialDay(serial: number): string | null {
  if (serial === 0 || serial === uncounted) return null;
  const at = serialOrigin + (serial < uncounted ? serial + 1 : serial) * dayMs;
  return at > Date.UTC(9999, 11, 31) ? null : new Date(at).toISOString().slice(0, 10);
}

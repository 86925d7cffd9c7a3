/** The calendar of scheduled reports. Days are `Y-m-d`. Pure. */
import { findFirstMoment } from "../../core/local_time.ts";
import { computeZoneOffset, dayMs } from "../../core/time.ts";

export const frequencies = ["day", "week", "month", "quarter", "year"] as const;
export type Frequency = (typeof frequencies)[number];

/** The hour of a delivery by the company's clock. */
const deliveryHour = 6;

/**
 * The most milliseconds to the next delivery: a period, and two days for its hour and for clocks that differ.
 */
export const furthestNext: Readonly<Record<Frequency, number>> = {
  day: 3 * dayMs,
  week: 9 * dayMs,
  month: 33 * dayMs,
  quarter: 94 * dayMs,
  year: 368 * dayMs,
};

/** Returns the day that clocks of the zone show at a moment (epoch milliseconds). */
export function dayAt(zone: string, ms: number): string {
  return formatDate(ms + computeZoneOffset(zone, ms) * 1000);
}

/** Returns the first day of the period after the one that the day is in. */
export function nextDay(frequency: Frequency, date: string): string {
  return formatDate(findStart(frequency, parseDate(date), 1));
}

/** Returns the first day of the period that the day is in. */
export function firstDay(frequency: Frequency, date: string): string {
  return formatDate(findStart(frequency, parseDate(date), 0));
}

/** The moment of the delivery of a day; epoch milliseconds. */
export function deliveryMoment(zone: string, date: string): number {
  return findFirstMoment(zone, parseDate(date) + deliveryHour * 3_600_000);
}

/**
 * Returns the key of a delivery. It includes the frequency, because a day and the week that ends with it are
 * two periods.
 */
export function onceKey(
  report: { readonly id: string; readonly frequency: Frequency },
  date: string,
): string {
  return `${report.id} ${report.frequency} ${date}`;
}

/** Returns the period that ended with the day before, in epoch seconds. `end` is not part of it. */
export function periodBefore(
  frequency: Frequency,
  zone: string,
  date: string,
): { start: number; end: number } {
  const midnight = (of: string) => findFirstMoment(zone, parseDate(of)) / 1000;
  return { start: midnight(firstDay(frequency, formatDate(parseDate(date) - dayMs))), end: midnight(date) };
}

/**
 * Returns the last delivery from `next` on whose moment has passed at `now`, null if none has, and the one
 * after it.
 */
export function dueAt(
  frequency: Frequency,
  zone: string,
  next: string,
  now: number,
): { due: string | null; next: string } {
  if (deliveryMoment(zone, next) > now) return { due: null, next };
  // The last delivery was on the first day of the present period, unless its hour has not come.
  const current = firstDay(frequency, dayAt(zone, now));
  const due = deliveryMoment(zone, current) <= now
    ? current
    : firstDay(frequency, formatDate(parseDate(current) - dayMs));
  return { due, next: nextDay(frequency, due) };
}

/**
 * Returns `next`, unless a clock that was ahead has set it. Then it returns the first day of the present
 * period, or of the next period for a report that was created in this one. A report that was created after `now` keeps
 * its day, because it shows that this clock is behind.
 */
export function planDay(
  frequency: Frequency,
  zone: string,
  next: string,
  made: number,
  now: number,
): string {
  if (made > now || deliveryMoment(zone, next) <= now + furthestNext[frequency]) return next;
  const current = firstDay(frequency, dayAt(zone, now));
  return current > dayAt(zone, made) ? current : nextDay(frequency, current);
}

function findStart(frequency: Frequency, ms: number, later: number): number {
  const date = new Date(ms);
  const [year, month, of] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (frequency) {
    case "day":
      return Date.UTC(year, month, of + later);
    case "week":
      return Date.UTC(year, month, of - (date.getUTCDay() + 6) % 7 + 7 * later);
    case "month":
      return Date.UTC(year, month + later, 1);
    case "quarter":
      return Date.UTC(year, month - month % 3 + 3 * later, 1);
    case "year":
      return Date.UTC(year + later, 0, 1);
  }
}

function parseDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function formatDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

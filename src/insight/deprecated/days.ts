/** The days of the deprecated reports. Days are `Y-m-d` by the company's calendar. */
import { fieldError, invalid } from "../../core/errors.ts";
import { findFirstMoment } from "../../core/local_time.ts";
import {
  computeZoneOffset,
  dayMs,
  firstMomentMs,
  formatDate,
  lastMomentMs,
  parseTimestamp,
} from "../../core/time.ts";
import { computeMonthsBefore } from "../reports/intervals.ts";
import { dayAt } from "../scheduled/periods.ts";

/** The most days of a report. */
const mostDays = 1_000;

export interface Days {
  readonly first: string;
  readonly last: string;
  readonly today: string;
}

interface Given {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/**
 * Returns the days of a report: by default from a month ago until in a month. Throws 422 for days in the
 * wrong order, and for more than 1,000 days.
 */
export function readDays({ start_date, end_date }: Given, zone: string, now: number): Days {
  const around = (months: number) =>
    dayAt(zone, computeMonthsBefore(zone, Math.floor(now / 1000), months) * 1000);
  const first = start_date === undefined ? around(1) : formatGivenDay(start_date, zone);
  const last = end_date === undefined ? around(-1) : formatGivenDay(end_date, zone);
  if (last <= first) throw invalid(fieldError("query.end_date", "after", "Must be after start_date."));
  if ((Date.parse(last) - Date.parse(first)) / dayMs >= mostDays) {
    throw invalid(fieldError("query.end_date", "max", `At most ${mostDays} days.`));
  }
  return { first, last, today: dayAt(zone, now) };
}

/** Returns the day of a parameter, which is a date or a UTC timestamp. */
export function formatGivenDay(text: string, zone: string): string {
  if (text.length === 10) return text;
  const at = parseTimestamp(text)!;
  return formatDate(limitToTimestamps(at + computeZoneOffset(zone, at) * 1000));
}

/** Every day from the first to the last, both included. */
export function listDays(first: string, last: string): string[] {
  const from = Date.parse(first);
  const length = Math.max(0, (Date.parse(last) - from) / dayMs + 1);
  return Array.from({ length }, (_, later) => formatDate(from + later * dayMs));
}

/** The first moment of a day, epoch seconds. */
export function findDayStart(day: string, zone: string): number {
  return computeSecondsAt(Date.parse(day), zone);
}

/** The first moment after a day, epoch seconds. */
export function findDayEnd(day: string, zone: string): number {
  return computeSecondsAt(Date.parse(day) + dayMs, zone);
}

function computeSecondsAt(local: number, zone: string): number {
  return Math.floor(limitToTimestamps(findFirstMoment(zone, local)) / 1000);
}

/**
 * Limits a moment to those that timestamps can express. In some time zones the very first and last day go
 * beyond them.
 */
function limitToTimestamps(moment: number): number {
  return Math.min(Math.max(moment, firstMomentMs), lastMomentMs);
}

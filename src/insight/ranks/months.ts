/** Months by the clock of a time zone. */
import { findFirstMoment } from "../../core/local_time.ts";
import { computeZoneOffset } from "../../core/time.ts";

/**
 * Returns the start of a month in a time zone, in epoch seconds: of the month of the moment `at`, or `ahead`
 * months later.
 */
export function computeMonthStart(zone: string, at: number, ahead: number): number {
  const shown = new Date((at + computeZoneOffset(zone, at * 1000)) * 1000);
  return findFirstMoment(zone, Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + ahead, 1)) / 1000;
}

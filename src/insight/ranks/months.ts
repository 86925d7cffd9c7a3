/** Months by the clock of a time zone. */
import { firstMoment } from "../../core/local_time.ts";
import { zoneOffset } from "../../core/time.ts";

/**
 * Returns the start of a month in a time zone, in epoch seconds: of the month of the moment `at`, or `ahead`
 * months later.
 */
export function monthStart(zone: string, at: number, ahead: number): number {
  const shown = new Date((at + zoneOffset(zone, at * 1000)) * 1000);
  return firstMoment(zone, Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + ahead, 1)) / 1000;
}

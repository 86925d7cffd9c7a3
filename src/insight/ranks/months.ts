/** Months by the clock of a time zone. */
import { firstMoment } from "../../core/local_time.ts";
import { zoneOffset } from "../../core/time.ts";

/** The start of the month, so many months ahead, that clocks of the zone show at a moment; epoch seconds. */
export function monthStart(zone: string, at: number, ahead: number): number {
  const shown = new Date((at + zoneOffset(zone, at * 1000)) * 1000);
  return firstMoment(zone, Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + ahead, 1)) / 1000;
}

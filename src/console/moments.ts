/** Moments of the fields `datetime-local`, by the clock of the person's zone. */
import { findFirstMoment } from "../core/local_time.ts";
import { computeZoneOffset, formatTimestamp } from "../core/time.ts";

/** Returns the wire timestamp of a local moment; other texts as they are, so that the API refuses them. */
export function parseMoment(text: string | undefined, timeZone: string): string | undefined {
  if (text === undefined) return undefined;
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : NaN;
  return Number.isNaN(local) ? text : formatTimestamp(findFirstMoment(timeZone, local));
}

/** Returns the text of the field for a moment in epoch milliseconds. */
export function formatMomentField(ms: number, timeZone: string): string {
  return new Date(ms + computeZoneOffset(timeZone, ms) * 1000).toISOString().slice(0, 16);
}

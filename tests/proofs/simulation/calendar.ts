/** Counts countdowns by quarters of an hour on the local clock. */

const minute = 60_000;
const quarter = 15 * minute;

const places = new Map<string, { shown: Intl.DateTimeFormat; weekend: Map<number, boolean> }>();

/** True on a local Saturday or Sunday. Clocks change at quarters of an hour only. */
export function isWeekend(zone: string, moment: number): boolean {
  let place = places.get(zone);
  if (!place) {
    place = {
      shown: new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "long" }),
      weekend: new Map(),
    };
    places.set(zone, place);
  }
  const at = Math.floor(moment / quarter);
  let found = place.weekend.get(at);
  if (found === undefined) {
    found = ["Saturday", "Sunday"].includes(place.shown.format(at * quarter));
    place.weekend.set(at, found);
  }
  return found;
}

/** Returns the time after this many minutes, with or without weekends. */
export function countDown(start: number, minutes: number, weekendsCount: boolean, zone: string): number {
  const from = Math.floor(start / 1000) * 1000;
  if (weekendsCount) return from + minutes * minute;
  let left = minutes * minute;
  let now = from;
  for (;;) {
    const next = (Math.floor(now / quarter) + 1) * quarter;
    if (!isWeekend(zone, now)) {
      if (left <= next - now) return now + left;
      left -= next - now;
    }
    now = next;
  }
}

/** Formats a time as records do. */
export function formatMoment(moment: number): string {
  return new Date(Math.floor(moment / 1000) * 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** Countdowns as people count them: quarter of an hour by quarter of an hour, on the clocks of a place. */

const minute = 60_000;
const quarter = 15 * minute;

const places = new Map<string, { shown: Intl.DateTimeFormat; weekend: Map<number, boolean> }>();

/** Whether it is Saturday or Sunday there. Clocks are changed on quarters of an hour alone. */
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

/** The moment at which so many minutes have gone by since the start; those of weekends only if they count. */
export function countdown(start: number, minutes: number, weekendsCount: boolean, zone: string): number {
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

/** As records write it. */
export function stamp(moment: number): string {
  return new Date(Math.floor(moment / 1000) * 1000).toISOString().slice(0, 19).replace("T", " ");
}

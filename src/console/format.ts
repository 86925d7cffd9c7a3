/** Moments, amounts and numbers in the words of a person's locale. Formatters are kept, because making one is slow. */
import { BoundedMap } from "../core/bounded_map.ts";

export interface Formats {
  /** A wire timestamp as the attribute `datetime`. */
  readonly machine: (at: string) => string;
  readonly moment: (at: string) => string;
  readonly day: (at: string) => string;
  /** A day without a time, such as `2026-01-31`. */
  readonly date: (day: string) => string;
  /** The size of a file. */
  readonly bytes: (size: number) => string;
  readonly number: (value: number) => string;
  /** An amount in the currency. A whole one has no decimals. */
  readonly money: (value: number) => string;
  /** How long ago a moment was, in the largest unit that fits. */
  readonly ago: (at: string, now: number) => string;
}

const kept = new BoundedMap<Formats>(200);

/** Returns the formats of a locale, a time zone and a currency. */
export function getFormats(locale: string, timeZone: string, currency: string): Formats {
  const name = `${locale} ${timeZone} ${currency}`;
  const known = kept.get(name);
  if (known) return known;
  const made = makeFormats(locale.replace("_", "-"), timeZone, currency);
  kept.set(name, made, 1);
  return made;
}

function makeFormats(locale: string, timeZone: string, currency: string): Formats {
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const number = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const money = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return {
    machine,
    moment: (at) => moment.format(parseTime(at)),
    day: (at) => day.format(parseTime(at)),
    date: (day) => /^\d{4}-\d\d-\d\d$/.test(day) ? date.format(Date.parse(day)) : day,
    bytes(size) {
      const unit = Math.min(3, Math.floor(Math.log10(Math.max(size, 1)) / 3));
      return `${short.format(size / 1000 ** unit)} ${["B", "kB", "MB", "GB"][unit]}`;
    },
    number: (value) => number.format(value),
    money: (value) => money.format(value),
    ago(at, now) {
      const minutes = Math.round((parseTime(at) - now) / 60_000);
      if (Math.abs(minutes) < 60) return relative.format(minutes, "minute");
      const hours = Math.round(minutes / 60);
      if (Math.abs(hours) < 24) return relative.format(hours, "hour");
      return relative.format(Math.round(hours / 24), "day");
    },
  };
}

function machine(at: string): string {
  return `${at.replace(" ", "T")}Z`;
}

function parseTime(at: string): number {
  return Date.parse(machine(at));
}

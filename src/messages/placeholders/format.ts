/** Writes dates, times, numbers and countries as a reader of a locale and time zone expects them. */
import { BoundedMap } from "../../core/bounded_map.ts";

export interface Place {
  /** A locale such as `de-AT`. */
  readonly locale: string;
  /** An IANA time zone. */
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
}

export interface Formats {
  /** `ms`: epoch milliseconds. */
  date(ms: number): string;
  time(ms: number): string;
  number(value: number): string;
  money(value: number): string;
  /** ISO 3166-1; other text stays as it is. */
  country(code: string): string;
}

/** Formats by place. Their number is limited, because an `Intl` formatter takes about 20 kB. */
const kept = new BoundedMap<Formats>(200);

export function formatsOf({ locale, timezone, currency }: Place): Formats {
  const key = `${locale} ${timezone} ${currency}`;
  const known = kept.get(key);
  if (known) return known;
  const dates = new Intl.DateTimeFormat(locale, { timeZone: timezone, dateStyle: "long" });
  const times = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeStyle: "short" });
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 10 });
  const amounts = new Intl.NumberFormat(locale, { style: "currency", currency });
  const countries = new Intl.DisplayNames(locale, { type: "region" });
  const formats = {
    date: (ms: number) => dates.format(ms),
    time: (ms: number) => times.format(ms),
    number: (value: number) => numbers.format(value),
    money: (value: number) => amounts.format(value),
    country: (code: string) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code,
  };
  kept.set(key, formats, 1);
  return formats;
}

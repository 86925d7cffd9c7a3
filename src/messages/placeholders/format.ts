/** Writes dates, times, numbers and countries as a reader of a locale and time zone expects them. */
import { BoundedMap } from "../../core/bounded_map.ts";
import { roundAmount } from "../../core/decimals.ts";
import { findUnshown } from "../../platform/pdf/shown_text.ts";

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

/**
 * Returns the formats of a place. With `isPrinted`, those that the fonts of documents lack the characters for
 * are numbers with Latin digits and codes.
 */
export function makeFormats({ locale, timezone, currency }: Place, isPrinted = false): Formats {
  const key = `${isPrinted} ${locale} ${timezone} ${currency}`;
  const known = kept.get(key);
  if (known) return known;
  const dates = choose(isPrinted, [
    new Intl.DateTimeFormat(locale, { timeZone: timezone, dateStyle: "long" }),
    new Intl.DateTimeFormat(locale, { timeZone: timezone, dateStyle: "short", numberingSystem: "latn" }),
  ]);
  const times = choose(isPrinted, [
    new Intl.DateTimeFormat(locale, { timeZone: timezone, timeStyle: "short" }),
    new Intl.DateTimeFormat(locale, {
      timeZone: timezone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      numberingSystem: "latn",
    }),
  ]);
  const numbers = choose(isPrinted, [
    new Intl.NumberFormat(locale, { maximumFractionDigits: 10 }),
    new Intl.NumberFormat(locale, { maximumFractionDigits: 10, numberingSystem: "latn" }),
  ]);
  const amounts = choose(isPrinted, [
    new Intl.NumberFormat(locale, { style: "currency", currency }),
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: "code",
      numberingSystem: "latn",
    }),
  ]);
  const countries = new Intl.DisplayNames(locale, { type: "region" });
  const formats = {
    date: (ms: number) => dates.format(ms),
    time: (ms: number) => times.format(ms),
    number: (value: number) => numbers.format(value),
    money: (value: number) => amounts.format(roundAmount(value, currency)),
    country(code: string) {
      const name = (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code;
      return isPrinted && findUnshown(name).length > 0 ? code : name;
    },
  };
  kept.set(key, formats, 1);
  return formats;
}

/** Returns the second format where a printed example of the first one would lack characters. */
function choose<F extends { format(value: number): string }>(isPrinted: boolean, [usual, plain]: [F, F]): F {
  return isPrinted && findUnshown(usual.format(-1234.5)).length > 0 ? plain : usual;
}

/**
 * Countries, languages, locales, currencies, time zones and phone numbers, from libraries and the runtime.
 * Lookups return null for unknown codes and respect case. Their JSON throws for an unknown code: codes are
 * validated before they are stored.
 */

import { countries as COUNTRIES, languages as LANGUAGES } from "countries-list";
import { currencies as CURRENCIES } from "countries-list/currencies";
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { parseInternationalNumber } from "./phone_numbers.ts";
import { computeZoneOffset } from "./time.ts";

export interface Country {
  readonly name: string;
  readonly native_name: string;
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
}

export interface LanguageRecord {
  /** ISO 639-1. */
  readonly code: string;
  readonly name: string;
}

export interface Locale {
  /** `ll-CC`. */
  readonly code: string;
  readonly language_name: string;
  readonly country: Country;
}

export interface Currency {
  readonly name: string;
  readonly name_plural: string;
  /** ISO 4217. */
  readonly code: string;
  readonly symbol: string;
  readonly symbol_native: string;
  readonly decimal_digits: number;
  readonly rounding: number;
}

/** Returns the country of an ISO 3166-1 alpha-2 code; null for an unknown one. */
export function findCountry(code: string): Country | null {
  return countryByCode.get(code) ?? null;
}

/** All countries, sorted by name. */
export function listCountries(): readonly Country[] {
  return countriesByName;
}

/** Returns the language of an ISO 639-1 code; null for an unknown one. */
export function findLanguage(code: string): LanguageRecord | null {
  return languageByCode.get(code) ?? null;
}

/** All languages, sorted by name. */
export function listLanguages(): readonly LanguageRecord[] {
  return [...languageByCode.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** All currencies, sorted by name. */
export function listCurrencies(): readonly Currency[] {
  return [...currencyData.keys()].flatMap((code) => findCurrency(code) ?? [])
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the locale of a code such as `de-CH`; null when its language or country is unknown. */
export function findLocale(code: string): Locale | null {
  const kept = locales.get(code);
  if (kept !== undefined) return kept;
  const match = localeForm.exec(code);
  const spoken = findLanguage(match?.[1] ?? "");
  const where = findCountry(match?.[2] ?? "");
  if (spoken === null || where === null) return null;
  const found = Object.freeze({ code, language_name: spoken.name, country: where });
  locales.set(code, found);
  return found;
}

/** Returns the currency of an ISO 4217 code; null for an unknown one. */
export function findCurrency(code: string): Currency | null {
  const kept = currencyByCode.get(code);
  if (kept !== undefined) return kept;
  const data = currencyData.get(code);
  if (data === undefined) return null;
  const found = Object.freeze({
    name: data.name,
    name_plural: namePlural(code) ?? data.name,
    code,
    symbol: data.symbol,
    symbol_native: data.symbolNative,
    decimal_digits: data.decimals,
    rounding: 0, // amounts are rounded to their decimals and no further
  });
  currencyByCode.set(code, found);
  return found;
}

/**
 * Returns a time zone with the seconds that it is ahead of UTC at a moment; 0 if the runtime does not know
 * the zone.
 */
export function describeTimezone(
  name: string,
  nowMs: number,
): { readonly name: string; readonly offset: number } {
  try {
    return { name, offset: computeZoneOffset(name, nowMs) };
  } catch {
    return { name, offset: 0 };
  }
}

/** Returns whether the text is an IANA time zone that the runtime knows. */
export function isTimeZone(name: string): boolean {
  const kept = knownZones.get(name);
  if (kept !== undefined) return kept;
  const known = zoneNameForm.test(name) && runtimeKnows(name);
  if (knownZones.size >= maxCachedZones) knownZones.clear();
  knownZones.set(name, known);
  return known;
}

/**
 * Returns a phone number that is valid in the country of the locale in international form (`+49 30 123456`).
 * Returns other text unchanged; null stays null.
 */
export function formatPhone(raw: string | null, localeCode: string): string | null {
  if (raw === null) return null;
  const region = localeCode.slice(3);
  const key = `${region} ${raw}`;
  const kept = phones.get(key);
  if (kept !== undefined) return kept;
  const number = parsePhoneNumberFromString(raw, isSupportedCountry(region) ? region : undefined);
  const text = number?.isValid() ? number.formatInternational() : raw;
  if (phones.size >= maxCachedPhones) phones.clear();
  phones.set(key, text);
  return text;
}

/** Returns the digits by which search finds a phone number: as typed, and in international and national form. */
export function extractPhoneDigits(raw: string | null): string[] {
  if (raw === null) return [];
  const digits = (text: string) => text.replace(/\D/g, "");
  const typed = digits(raw);
  const number = parseInternationalNumber(raw);
  const forms = number ? [number.number, number.nationalNumber, number.formatNational()].map(digits) : [];
  return [...new Set([typed, typed.replace(/^0+/, ""), ...forms])].filter((form) => form.length > 2);
}

/** `{name, native_name, code}`. */
export const lookUpCountry = rememberCodes(findCountry);
/** `{code, name}`. */
export const lookUpLanguage = rememberCodes(findLanguage);
/** `{code, language_name, country}`. */
export const lookUpLocale = rememberCodes(findLocale);
export const lookUpCurrency = rememberCodes(findCurrency);

/** Returns a function that looks up each of a few hundred codes once. */
function rememberCodes<T>(find: (code: string) => T | null): (code: string) => T {
  const kept = new Map<string, T>();
  return function known(code) {
    const found = kept.get(code) ?? find(code);
    if (found === null) throw new RangeError(`unknown code: ${code}`);
    kept.set(code, found);
    return found;
  };
}

const localeForm = /^([a-z]{2})-([A-Z]{2})$/;
/** Runtimes also accept offsets such as `+01:00`, and names in any case. */
const zoneNameForm = /^[A-Z][A-Za-z0-9_+/-]{0,63}$/;
const maxCachedZones = 2048;
const maxCachedPhones = 8192;

/** ISO 3166-1 reserves these codes; no country has them. */
const reservedCountries = new Set(["AC", "TA"]);

const countriesByName: readonly Country[] = Object.freeze(
  Object.entries(COUNTRIES)
    .filter(([code, data]) => !reservedCountries.has(code) && !data.userAssigned)
    .map(([code, data]) => Object.freeze({ name: data.name, native_name: data.native, code }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
);
const countryByCode = new Map(countriesByName.map((each) => [each.code, each]));
const languageByCode = new Map<string, LanguageRecord>(
  Object.entries(LANGUAGES).map(([code, { name }]) => [code, Object.freeze({ code, name })]),
);
const currencyData = new Map(Object.entries(CURRENCIES));
const locales = new Map<string, Locale>();
const currencyByCode = new Map<string, Currency>();
const knownZones = new Map<string, boolean>();
const phones = new Map<string, string>();

function namePlural(code: string): string | undefined {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "name" });
  const name = format.formatToParts(2).find((part) => part.type === "currency")?.value;
  return name === code ? undefined : name;
}

function runtimeKnows(name: string): boolean {
  try {
    const resolved = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
    return resolved === name || resolved.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

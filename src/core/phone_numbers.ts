/** Phone numbers for comparison: equal however they are typed, with or without the code of the country. */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parseDigits,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from "libphonenumber-js";
import { foldText } from "./text.ts";

/**
 * Returns the form in which a phone number is kept for comparison: the digits of the national number without
 * zeros in front, and the code of the country if it was typed: `612345678+31` for `+31 6 1234 5678`,
 * `612345678` for `06 12345678`. A text that is no number stays a text.
 */
export function makePhoneKey(raw: string): string {
  const number = parseInternationalNumber(raw);
  if (number) {
    const { nationalNumber, countryCallingCode, ext } = number;
    return `${stripZeros(nationalNumber)}+${countryCallingCode}${ext ? `x${ext}` : ""}`;
  }
  return (/\p{L}/u.test(raw) ? "" : stripZeros(parseDigits(raw))) || foldText(raw);
}

/**
 * Returns the keys of all numbers that can be the same as this one. A number without the code of its country
 * can be one of any country: `612345678+` stands for its keys with each code.
 */
export function makePhoneKeys(raw: string): string[] {
  return [...new Set([...listKeys(raw), ...makeOlderKeys(raw)])];
}

/** Returns the keys, and those beginnings of keys that a code follows, by themselves. */
export function splitPhoneKeys(keys: readonly string[]): { whole: string[]; begun: string[] } {
  const [whole, begun]: [string[], string[]] = [[], []];
  for (const key of keys) (/^\d+\+$/.test(key) ? begun : whole).push(key);
  return { whole, begun };
}

/** The keys of numbers that were stored before there were keys: a migration took away signs and zeros alone. */
function makeOlderKeys(raw: string): string[] {
  const digits = stripZeros(raw.replace(/[ ()./+-]/g, ""));
  return /^\d+$/.test(digits) ? [digits] : [foldText(raw)];
}

function listKeys(raw: string): string[] {
  const key = makePhoneKey(raw);
  const number = parseInternationalNumber(raw);
  if (number?.ext) return [key];
  if (number) {
    const { nationalNumber, countryCallingCode } = number;
    const typed = [nationalNumber, parseDigits(number.formatNational()), countryCallingCode + nationalNumber];
    return [key, ...typed.map(stripZeros)];
  }
  if (!/^\d+$/.test(key)) return [key];
  const digits = parseDigits(raw);
  const abroad = [`${key}+`];
  for (const [code, trunk] of Object.entries(trunks)) {
    const national = digits.slice(trunk.length);
    if (!digits.startsWith(trunk) || !listCodesOfLength(national.length).includes(code)) continue;
    abroad.push(`${national}+${code}`);
  }
  const whole = parseInternationalNumber(`+${key}`);
  return [key, ...abroad, ...(whole?.isValid() ? listKeys(`+${key}`) : [])];
}

/**
 * Returns the international form of a number (E.164, and its extension), by which it is one number in all the
 * world: of the country where it was typed without a code. Null for what cannot be a number of the country.
 */
export function e164(raw: string, country: string | null): string | null {
  const number = parseInternationalNumber(raw) ?? parseNationalNumber(raw, country);
  return number && number.number + (number.ext ? `;ext=${number.ext}` : "");
}

/**
 * Parses a number that was typed without `+`, as one of the country; as one that begins with its code where that
 * alone is valid; null when it can be neither. Among words it must be valid.
 */
function parseNationalNumber(raw: string, country: string | null): PhoneNumber | null {
  if (country === null || !isSupportedCountry(country)) return null;
  const own = parseNumberIn(raw, country);
  if (own?.isValid()) return own;
  if (/\p{L}/u.test(raw)) return null;
  const whole = parseInternationalNumber(`+${stripZeros(parseDigits(raw))}`);
  if (whole?.isValid()) return whole;
  return own?.isPossible() ? own : null;
}

/** Parses a number with the code of its country, words beside it or not; null for other texts. */
export function parseInternationalNumber(raw: string) {
  const text = raw.replace(/^\s*00/, "+");
  if (!/[+\uff0b]/.test(text)) return null;
  return parseNumberIn(text);
}

/** The number that was parsed last: several columns of a contact, and its refusals, come from one number. */
let last: { text: string; country: CountryCode | undefined; number: PhoneNumber | null } | undefined;

/** Parses the number of a text, of the country where it has no code. Words are not part of a number. */
function parseNumberIn(text: string, country?: CountryCode): PhoneNumber | null {
  if (last?.text !== text || last.country !== country) {
    last = { text, country, number: parseNumber(text, country) };
  }
  return last.number;
}

function parseNumber(text: string, defaultCountry?: CountryCode): PhoneNumber | null {
  const country = defaultCountry && { defaultCountry };
  const whole = parsePhoneNumberFromString(text, { ...country, extract: false });
  return whole ?? (/\p{L}\d|\d\p{L}/u.test(text) ? null : parsePhoneNumberFromString(text, { ...country })) ??
    null;
}

function stripZeros(digits: string): string {
  return digits.replace(/^0+/, "");
}

/** What national numbers have in front within their country, by its calling code, where it is not a zero. */
const trunks: Readonly<Record<string, string>> = { 1: "1", 7: "8", 36: "06", 375: "8", 993: "8" };

let known: ReadonlyMap<number, readonly string[]> | undefined;

/** Returns the calling codes whose national numbers can have this length. */
function listCodesOfLength(length: number): readonly string[] {
  // Read once, when they are needed: it takes some milliseconds.
  known ??= readCodes();
  return known.get(length) ?? [];
}

function readCodes(): Map<number, string[]> {
  const found = new Map<number, string[]>();
  const metadata = new Metadata();
  for (const country of getCountries()) {
    metadata.selectNumberingPlan(country);
    const code = getCountryCallingCode(country);
    for (const length of metadata.numberingPlan?.possibleLengths() ?? []) {
      const codes = found.get(length) ?? [];
      if (!codes.includes(code)) codes.push(code);
      found.set(length, codes);
    }
  }
  return found;
}

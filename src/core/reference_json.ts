/** The JSON of countries, locales, time zones, languages and currencies, by code. */
import { Json, plain } from "./json.ts";
import * as reference from "./reference.ts";

/**
 * `{code, language_name, country}`. Throws for an unknown code; codes are validated before they are stored.
 */
export function localeJson(code: string): Json<reference.Locale> {
  return kept(locales, code, () => known(code, reference.locale(code)));
}

/** `{name, offset}` with the offset in seconds at the moment. */
export function timezoneJson(name: string, nowMs: number): Json<reference.TimeZone> {
  return plain({ name, offset: reference.timezone(name, nowMs)?.offset ?? 0 });
}

/** `{name, native_name, code}`, or null without a code. */
export function countryJson(code: string | null): Json<reference.Country | null> {
  return code === null ? nothing : kept(countries, code, () => known(code, reference.country(code)));
}

/** `{code, name}`. */
export function languageJson(code: string): Json<reference.Language> {
  return kept(languages, code, () => known(code, reference.language(code)));
}

export function currencyJson(code: string): Json<reference.Currency> {
  return kept(currencies, code, () => known(code, reference.currency(code)));
}

const nothing = plain(null);
const locales = new Map<string, Json<reference.Locale>>();
const countries = new Map<string, Json<reference.Country>>();
const languages = new Map<string, Json<reference.Language>>();
const currencies = new Map<string, Json<reference.Currency>>();

/** A few hundred codes at most, so entries are never evicted. */
function kept<T>(map: Map<string, Json<T>>, code: string, make: () => Json<T>): Json<T> {
  let json = map.get(code);
  if (!json) map.set(code, json = make());
  return json;
}

function known<T>(code: string, found: T | null): Json<T> {
  if (found === null) throw new RangeError(`unknown code: ${code}`);
  return new Json(JSON.stringify(found));
}

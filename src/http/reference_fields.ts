/**
 * Codes of countries, locales, languages, currencies and time zones in requests, and their objects in
 * answers.
 */
import { z } from "zod";
import { findCountry, findCurrency, findLanguage, findLocale, isTimeZone } from "../core/reference.ts";
import { refusal } from "./validate.ts";

export const countryCode = code(findCountry, "Must be an ISO 3166-1 alpha-2 country code.", "DE");
export const localeCode = code(findLocale, "Must be a locale of language and country.", "en-GB");
export const languageCode = code(findLanguage, "Must be an ISO 639-1 language code.", "en");
export const currencyCode = code(findCurrency, "Must be an ISO 4217 currency code.", "EUR");

export const timezoneName = z.string()
  .refine(isTimeZone, refusal("enum", "Must be the name of an IANA time zone."))
  .meta({ example: "Europe/Berlin" });

export const Country = z.object({
  name: z.string(),
  native_name: z.string(),
  code: z.string(),
}).meta({ id: "Country", example: { name: "Germany", native_name: "Deutschland", code: "DE" } });

export const Locale = z.object({ code: z.string(), language_name: z.string(), country: Country }).meta({
  id: "Locale",
  example: {
    code: "en-GB",
    language_name: "English",
    country: { name: "United Kingdom", native_name: "United Kingdom", code: "GB" },
  },
});

export const Timezone = z.object({
  name: z.string(),
  offset: z.int().meta({ description: "The current offset from UTC, in seconds." }),
}).meta({ id: "Timezone", example: { name: "Europe/Berlin", offset: 3600 } });

export const Language = z.object({ code: z.string(), name: z.string() })
  .meta({ id: "Language", example: { code: "en", name: "English" } });

export const Currency = z.object({
  name: z.string(),
  name_plural: z.string(),
  code: z.string(),
  symbol: z.string(),
  symbol_native: z.string(),
  decimal_digits: z.int(),
  rounding: z.number(),
}).meta({
  id: "Currency",
  example: {
    name: "Euro",
    name_plural: "euros",
    code: "EUR",
    symbol: "€",
    symbol_native: "€",
    decimal_digits: 2,
    rounding: 0,
  },
});

function code(find: (code: string) => object | null, rule: string, example: string) {
  return z.string().refine((value) => find(value) !== null, refusal("enum", rule))
    .meta({ example });
}

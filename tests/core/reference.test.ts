import assert from "node:assert/strict";
import {
  describeTimezone,
  findCountry,
  findCurrency,
  findLanguage,
  findLocale,
  formatPhone,
  isTimeZone,
  listCountries,
} from "../../src/core/reference.ts";

Deno.test("countries are those of ISO 3166-1, by their alpha-2 code", () => {
  assert.deepEqual(findCountry("DE"), { name: "Germany", native_name: "Deutschland", code: "DE" });
  assert.equal(listCountries().length, 249);
  for (const each of listCountries()) assert.equal(findCountry(each.code), each);
  for (const code of ["", "de", "UK", "XK", "AC", "ZZ", "DEU", "constructor"]) {
    assert.equal(findCountry(code), null, code);
  }
});

Deno.test("languages are those of ISO 639-1", () => {
  assert.deepEqual(findLanguage("en"), { code: "en", name: "English" });
  for (const code of ["", "EN", "eng", "xx", "toString"]) assert.equal(findLanguage(code), null, code);
});

Deno.test("a locale is a language and a country", () => {
  assert.deepEqual(findLocale("nl-BE"), {
    code: "nl-BE",
    language_name: "Dutch",
    country: { name: "Belgium", native_name: "België", code: "BE" },
  });
  assert.equal(findLocale("nl-BE"), findLocale("nl-BE"));
  for (const code of ["", "en", "en_GB", "EN-GB", "en-gb", "xx-GB", "en-XX", "en-GB-x"]) {
    assert.equal(findLocale(code), null, code);
  }
});

Deno.test("currencies are those of ISO 4217, with their names, symbols and decimals", () => {
  assert.deepEqual(findCurrency("EUR"), {
    name: "Euro",
    name_plural: "euros",
    code: "EUR",
    symbol: "€",
    symbol_native: "€",
    decimal_digits: 2,
    rounding: 0,
  });
  assert.equal(findCurrency("JPY")?.decimal_digits, 0);
  assert.equal(findCurrency("KWD")?.decimal_digits, 3);
  assert.equal(findCurrency("USD")?.name_plural, "US dollars");
  for (const code of ["", "eur", "EURO", "BTC", "ZZZ", "constructor"]) {
    assert.equal(findCurrency(code), null, code);
  }
});

Deno.test("a time zone has its offset at the moment, in seconds", () => {
  const winter = Date.UTC(2026, 0, 1);
  const summer = Date.UTC(2026, 6, 1);
  const offsets: [string, number, number][] = [
    ["Europe/Berlin", winter, 3600],
    ["Europe/Berlin", summer, 7200],
    ["America/St_Johns", winter, -12_600],
    ["Europe/Atlantis", winter, 0],
  ];
  for (const [name, at, offset] of offsets) {
    assert.deepEqual(describeTimezone(name, at), { name, offset });
  }
});

Deno.test("time zones are the names of the IANA list, links too, in their own spelling", () => {
  const names = [
    "UTC",
    "GMT",
    "Etc/UTC",
    "Etc/GMT+5",
    "Europe/Kiev",
    "Europe/Kyiv",
    "US/Eastern",
    "Asia/Calcutta",
  ];
  for (const name of names) assert.ok(isTimeZone(name), name);
  for (const name of Intl.supportedValuesOf("timeZone")) assert.ok(isTimeZone(name), name);
  for (
    const name of ["", "+01:00", "europe/berlin", "EUROPE/BERLIN", "Z", "Europe/", "Mars/Olympus", " UTC"]
  ) {
    assert.ok(!isTimeZone(name), name);
  }
});

Deno.test("a phone number is shown in international form, by the country of the locale", () => {
  const cases: [string | null, string, string | null][] = [
    ["030 123456", "de-DE", "+49 30 123456"],
    ["(020) 7946 0018", "en-GB", "+44 20 7946 0018"],
    ["+1 (213) 373-4253", "en-GB", "+1 213 373 4253"],
    ["0032 2 555 12 12", "nl-BE", "+32 2 555 12 12"],
    ["ask at the desk", "en-GB", "ask at the desk"],
    ["112", "de-DE", "112"],
    ["2137", "en-AQ", "2137"],
    ["+49 30 123456", "en-AQ", "+49 30 123456"],
    ["", "en-GB", ""],
    [null, "en-GB", null],
  ];
  for (const [raw, code, shown] of cases) {
    assert.equal(formatPhone(raw, code), shown, String(raw));
    assert.equal(formatPhone(raw, code), shown, `${raw} once more`);
  }
});

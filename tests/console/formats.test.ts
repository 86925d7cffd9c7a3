/** Amounts as the console writes them. */
import assert from "node:assert/strict";
import { getFormats } from "../../src/console/format.ts";

/** Returns the amounts in a locale and a currency, with plain spaces. */
function writeAmounts(locale: string, currency: string, amounts: readonly number[]): string[] {
  const { money } = getFormats(locale, "UTC", currency);
  return amounts.map((amount) => money(amount).replaceAll(/\p{Zs}/gu, " "));
}

Deno.test("a whole amount has no decimals, and cents stay", () => {
  const amounts = [24_000, 0, -5, 24_000.5, 0.07, 9.999];
  assert.deepEqual(writeAmounts("en-GB", "EUR", amounts), [
    "€24,000",
    "€0",
    "-€5",
    "€24,000.50",
    "€0.07",
    "€10",
  ]);
  assert.deepEqual(writeAmounts("de_DE", "EUR", amounts), [
    "24.000 €",
    "0 €",
    "-5 €",
    "24.000,50 €",
    "0,07 €",
    "10 €",
  ]);
});

Deno.test("the decimals of an amount are those of its currency", () => {
  assert.deepEqual(writeAmounts("en-GB", "KWD", [1_500, 1_500.25]), ["KWD 1,500", "KWD 1,500.250"]);
  assert.deepEqual(writeAmounts("en-GB", "JPY", [1_500, 1_500.25]), ["JP¥1,500", "JP¥1,500"]);
});

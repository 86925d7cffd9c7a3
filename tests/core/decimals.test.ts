/** Decimals are exact where binary fractions are a little off. */
import assert from "node:assert/strict";
import {
  countDecimals,
  multiply,
  roundAmount,
  roundDecimal,
  subtract,
  toDecimal,
  toNumber,
  writeDecimal,
} from "../../src/core/decimals.ts";

Deno.test("products and differences of decimals are exact", () => {
  assert.equal(writeDecimal(multiply(toDecimal(7), toDecimal(0.7))), "4.9");
  assert.equal(toNumber(subtract(multiply(toDecimal(7), toDecimal(0.7)), toDecimal(4.9))), 0);
  assert.equal(toNumber(subtract(toDecimal(0.3), toDecimal(0.1))), 0.2);
  assert.equal(writeDecimal(multiply(toDecimal(1e-7), toDecimal(-2.5e21))), "-250000000000000.0000000");
});

Deno.test("amounts have the decimals of their currency, half away from zero", () => {
  assert.deepEqual(["EUR", "JPY", "KWD"].map(countDecimals), [2, 0, 3]);
  assert.deepEqual([1.005, -1.005, 0.004, -0.004].map((value) => roundAmount(value, "EUR")), [
    1.01,
    -1.01,
    0,
    0,
  ]);
  assert.equal(writeDecimal(roundDecimal(toDecimal(4.9), 2)), "4.90");
  assert.equal(writeDecimal(roundDecimal(toDecimal(-0.05), 2)), "-0.05");
});

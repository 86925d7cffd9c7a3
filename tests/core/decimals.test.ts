/** Decimals are exact where binary fractions are a little off. */
import assert from "node:assert/strict";
import {
  decimalOf,
  decimalsOf,
  multiply,
  numberOf,
  roundAmount,
  roundDecimal,
  subtract,
  writeDecimal,
} from "../../src/core/decimals.ts";

Deno.test("products and differences of decimals are exact", () => {
  assert.equal(writeDecimal(multiply(decimalOf(7), decimalOf(0.7))), "4.9");
  assert.equal(numberOf(subtract(multiply(decimalOf(7), decimalOf(0.7)), decimalOf(4.9))), 0);
  assert.equal(numberOf(subtract(decimalOf(0.3), decimalOf(0.1))), 0.2);
  assert.equal(writeDecimal(multiply(decimalOf(1e-7), decimalOf(-2.5e21))), "-250000000000000.0000000");
});

Deno.test("amounts have the decimals of their currency, half away from zero", () => {
  assert.deepEqual(["EUR", "JPY", "KWD"].map(decimalsOf), [2, 0, 3]);
  assert.deepEqual([1.005, -1.005, 0.004, -0.004].map((value) => roundAmount(value, "EUR")), [
    1.01,
    -1.01,
    0,
    0,
  ]);
  assert.equal(writeDecimal(roundDecimal(decimalOf(4.9), 2)), "4.90");
  assert.equal(writeDecimal(roundDecimal(decimalOf(-0.05), 2)), "-0.05");
});

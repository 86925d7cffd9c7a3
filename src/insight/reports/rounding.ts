/** How figures are rounded, once, at the end. */
import { countDecimals, roundDecimal, toDecimal, toNumber } from "../../core/decimals.ts";
import type { IndicatorDefinition, Unit } from "../indicators/indicator.ts";

/** Returns a function that rounds figures of an indicator. */
export function rounding(
  { unit }: IndicatorDefinition,
  currency: string,
): (value: number | null) => number | null {
  const round = chooseRounding(unit, currency);
  return (value) => value === null ? null : round(value);
}

/**
 * Money has the decimals of its currency (ISO 4217), percentages and seconds two. Numbers have six: the mean of one
 * thing in 1,000 intervals is more than 0.
 */
function chooseRounding(unit: Unit, currency: string): (value: number) => number {
  const digits = unit === "money" ? countDecimals(currency) : unit === "number" ? 6 : 2;
  return (value) => {
    if (Math.abs(value) * 10 ** digits > Number.MAX_SAFE_INTEGER) return value;
    // 15 digits of a sum are exact.
    const exact = Math.abs(value) < 1e15 ? Number(value.toPrecision(15)) : value;
    return toNumber(roundDecimal(toDecimal(exact), digits));
  };
}

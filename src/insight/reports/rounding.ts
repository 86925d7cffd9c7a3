/** How figures are rounded, once, at the end. */
import type { Indicator, Unit } from "../indicators/indicator.ts";

const decimals = new Map<string, number>();

/** Returns a function that rounds figures of an indicator. */
export function rounding({ unit }: Indicator, currency: string): (value: number | null) => number | null {
  const round = roundedAs(unit, currency);
  return (value) => value === null ? null : round(value);
}

/**
 * Money has the decimals of its currency (ISO 4217), percentages and seconds two. Numbers have six: the mean of one
 * thing in 1,000 intervals is more than 0.
 */
function roundedAs(unit: Unit, currency: string): (value: number) => number {
  const digits = unit === "money" ? decimalsOf(currency) : unit === "number" ? 6 : 2;
  const factor = 10 ** digits;
  return (value) => {
    const scaled = Math.abs(value) * factor;
    if (scaled > Number.MAX_SAFE_INTEGER) return value;
    // 15 digits of a number are exact: 1.005 times 100 is 100.5, not 100.49999999999999.
    const exact = scaled < 1e15 ? Number(scaled.toPrecision(15)) : scaled;
    const rounded = Math.sign(value) * Math.round(exact) / factor;
    return rounded === 0 ? 0 : rounded;
  };
}

function decimalsOf(currency: string): number {
  let known = decimals.get(currency);
  if (known === undefined) {
    known = new Intl.NumberFormat("en", { style: "currency", currency })
      .resolvedOptions().maximumFractionDigits ??
      2;
    decimals.set(currency, known);
  }
  return known;
}

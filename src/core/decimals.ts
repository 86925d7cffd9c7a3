/** Decimal numbers, computed exactly: 7 × 0.70 is 4.90, where binary fractions are a little less. */

/** `digits` × 10^−`places`. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Returns the decimal that a finite number is written as: 0.1 is one tenth. */
export function toDecimal(value: number): Decimal {
  const [, sign, whole, fraction = "", exponent = "0"] = writtenForm.exec(String(value))!;
  const places = fraction.length - Number(exponent);
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

/** Returns `a` × `b`. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, places: a.places + b.places };
}

/** Returns `a` + `b`. */
export function add(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places);
  return { digits: scaleDigits(a, places) + scaleDigits(b, places), places };
}

/** Returns `a` − `b`. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places);
  return { digits: scaleDigits(a, places) - scaleDigits(b, places), places };
}

/** Returns the decimal with this many places, half away from zero. */
export function roundDecimal(value: Decimal, places: number): Decimal {
  if (value.places <= places) return { digits: scaleDigits(value, places), places };
  const unit = 10n ** BigInt(value.places - places);
  const half = value.digits < 0n ? -unit / 2n : unit / 2n;
  return { digits: (value.digits + half) / unit, places };
}

/** Returns the text of a decimal, with all its places: `4.90`. */
export function writeDecimal({ digits, places }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, "0");
  const whole = text.slice(0, text.length - places);
  return `${digits < 0n ? "-" : ""}${whole}${places > 0 ? `.${text.slice(-places)}` : ""}`;
}

/** Returns the number nearest to a decimal; never −0. */
export function toNumber(value: Decimal): number {
  return Number(writeDecimal(value));
}

const writtenForm = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

const known = new Map<string, number>();

/** Returns the decimals of amounts in a currency (ISO 4217): 2 for `EUR`, 0 for `JPY`. */
export function countDecimals(currency: string): number {
  let decimals = known.get(currency);
  if (decimals === undefined) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
    known.set(currency, decimals);
  }
  return decimals;
}

/** Returns an amount of money with the decimals of its currency, half away from zero. */
export function roundAmount(value: number, currency: string): number {
  return toNumber(roundDecimal(toDecimal(value), countDecimals(currency)));
}

function scaleDigits({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}

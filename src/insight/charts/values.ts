/** Formats figures, and chooses the ticks of their axis. */
import { scaleLinear } from "d3-scale";
import type { Unit } from "../indicators/indicator.ts";
import type { Place } from "../../messages/placeholders/format.ts";

export interface ValueScale {
  readonly scale: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** Returns a scale from `values` to pixels that includes 0 and has about five ticks. */
export function makeValueScale(
  values: Iterable<number>,
  unit: Unit,
  place: Place,
  range: readonly [number, number],
): ValueScale {
  let [low, high] = [0, 0];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low === high) high = 1;
  const step = unit === "seconds" ? chooseDurationStep(high - low) : null;
  const domain = step === null
    ? scaleLinear([low, high], [0, 1]).nice(5).domain()
    : [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const scale = scaleLinear(domain, range);
  const at = step === null
    ? scale.ticks(5)
    : Array.from({ length: Math.round((domain[1]! - domain[0]!) / step) + 1 }, (_, n) =>
      domain[0]! + n * step);
  const distance = at.length > 1 ? at[1]! - at[0]! : 1;
  const write = makeTickFormat(unit, place, Math.max(-low, high), distance);
  return { scale: (value) => scale(value), ticks: at.map((tick) => ({ at: tick, text: write(tick) })) };
}

const minute = 60;
const hour = 3_600;
const day = 86_400;
const durationSteps = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1_800,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
];

/** Seconds between ticks that are whole seconds, minutes, hours or days; null for less than a few seconds. */
function chooseDurationStep(extent: number): number | null {
  if (extent < 4) return null;
  const least = extent / 6;
  const known = [...durationSteps, 12 * hour, day].find((step) => step >= least);
  if (known !== undefined) return known;
  const power = 10 ** Math.floor(Math.log10(least / day));
  return [1, 2, 5, 10].map((factor) => factor * power * day).find((step) => step >= least)!;
}

function makeTickFormat(
  unit: Unit,
  place: Place,
  greatest: number,
  step: number,
): (value: number) => string {
  if (unit === "seconds") return makeDurationFormat(place.locale, step < 1 ? countStepDecimals(step) : 0);
  if (unit === "percent") {
    const digits = countStepDecimals(step);
    const format = new Intl.NumberFormat(place.locale, {
      style: "percent",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    return (value) => format.format(value / 100);
  }
  const options = unit === "money" ? { style: "currency", currency: place.currency } as const : {};
  if (isOdd(greatest)) {
    const format = new Intl.NumberFormat(place.locale, {
      ...options,
      notation: "scientific",
      maximumFractionDigits: 2,
    });
    return (value) => format.format(value);
  }
  const isCompact = greatest >= 10_000;
  const digits = isCompact
    ? countStepDecimals(step / 10 ** (3 * Math.floor(Math.log10(greatest) / 3)))
    : countStepDecimals(step);
  const format = new Intl.NumberFormat(place.locale, {
    ...options,
    ...(isCompact ? { notation: "compact" } : {}),
    minimumFractionDigits: isCompact ? 0 : digits,
    maximumFractionDigits: digits,
  });
  return (value) => format.format(value);
}

/** Decimals that multiples of a step need to differ. */
function countStepDecimals(step: number): number {
  return Math.min(15, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

/** Too great or too small for digits. */
function isOdd(value: number): boolean {
  return value >= 1e15 || (value > 0 && value < 1e-6);
}

/** Returns a function that formats a figure, for bars and for descriptions. */
export function valueText(unit: Unit, { locale, currency }: Place): (value: number) => string {
  if (unit === "seconds") return makeDurationFormat(locale, 2);
  const options: Intl.NumberFormatOptions = unit === "money"
    ? { style: "currency", currency }
    : unit === "percent"
    ? { style: "percent", maximumFractionDigits: 2 }
    : { maximumFractionDigits: 6 };
  const plain = new Intl.NumberFormat(locale, options);
  const odd = new Intl.NumberFormat(locale, { ...options, notation: "scientific", maximumFractionDigits: 2 });
  return (value) => {
    const written = unit === "percent" ? value / 100 : value;
    return (isOdd(Math.abs(value)) ? odd : plain).format(written);
  };
}

/** Writes the two greatest units of a time: `2 days, 4 hr` in English. `digits`: decimals of seconds. */
function makeDurationFormat(locale: string, digits: number): (seconds: number) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  const formatUnit = (value: number, unit: string, maximumFractionDigits = 0) => {
    const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits } as const;
    const key = `${unit} ${maximumFractionDigits}`;
    let format = formats.get(key);
    if (!format) formats.set(key, format = new Intl.NumberFormat(locale, options));
    return format.format(value);
  };
  const duration = (seconds: number): string => {
    const whole = Math.abs(seconds);
    if (whole < minute) return formatUnit(seconds, "second", Number.isInteger(seconds) ? 0 : digits);
    const first = lengths.findIndex(([, length]) => whole >= length);
    const [[unit, length], next] = [lengths[first]!, lengths[first + 1]];
    if (next === undefined || whole >= 100 * day) return formatUnit(Math.round(seconds / length), unit);
    // Round first, so that 59.6 seconds after a minute are a minute more.
    const rounded = Math.round(whole / next[1]) * next[1];
    if (rounded >= (lengths[first - 1]?.[1] ?? Infinity)) return duration(Math.sign(seconds) * rounded);
    const rest = Math.round((rounded % length) / next[1]);
    const head = formatUnit(Math.sign(seconds) * Math.floor(rounded / length), unit);
    return rest === 0 ? head : `${head} ${formatUnit(rest, next[0])}`;
  };
  return duration;
}

const lengths = [["day", day], ["hour", hour], ["minute", minute], ["second", 1]] as const;

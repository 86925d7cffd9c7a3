/**
 * Reads the values of a filter in the form in which they are compared, and reports values that a field cannot
 * have.
 */
import { type FieldCode, type FieldError, fieldError } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";
import { addScheme, encodeEmail, trimLine } from "../core/lines.ts";
import { findNearestNames } from "../core/near_names.ts";
import { foldText } from "../core/text.ts";
import { formatDate, formatTimestamp, parseDate, parseTimestamp } from "../core/time.ts";
import type { Catalogue, FilterField, Operator } from "./fields.ts";

/** Values of one `in` or `nin`. */
export const mostValues = 500;
/** Characters of one text, in code points. */
export const longestText = 255;
/** The most characters of all values of one filter together, as the request wrote them. */
export const mostCharacters = 32_768;

export type Operand = string | number | boolean | readonly (string | number)[];

export interface Reading {
  readonly catalogue: Catalogue;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly errors: FieldError[];
  /** Whether removed choices are accepted; they match nothing. */
  readonly kept: boolean;
  nodes: number;
  /** The characters of the values so far. */
  characters: number;
  deprecated: boolean;
}

/**
 * Returns the value of a condition in the form in which it is compared. Returns null and adds a fault if the
 * operator or the field cannot have it.
 */
export function readOperand(
  value: unknown,
  field: FilterField,
  operator: Operator,
  path: string,
  reading: Reading,
): Operand | null {
  if (operator === "exists") {
    return typeof value === "boolean" ? value : fault(reading, path, "type", "Must be true or false.");
  }
  const part = operator === "sw" || operator === "ew" || operator === "ct" || operator === "nct"
    ? operator
    : null;
  // A part of a text can be of any choice.
  const compared = part ? { ...field, type: "text" as const, choices: undefined, part } : { ...field, part };
  if (operator !== "in" && operator !== "nin") return readScalar(value, compared, path, reading);
  if (!Array.isArray(value)) return fault(reading, path, "type", "Must be a list.");
  if (value.length > mostValues) return fault(reading, path, "max", `At most ${mostValues} values.`);
  const values = value.map((each, index) => readScalar(each, compared, `${path}[${index}]`, reading));
  return values.includes(null) ? null : values as (string | number)[];
}

type Compared = Pick<FilterField, "type" | "labels" | "written"> & {
  readonly choices?: FilterField["choices"] | undefined;
  /** The operator, if it is about a part of a text. */
  readonly part: "sw" | "ew" | "ct" | "nct" | null;
};

/** Returns a text, or a part of one, in the form in which the field stores it. */
function asStored(text: string, { written, part }: Compared): string {
  // White space within a text, and a part of an address, can be anywhere.
  if (written === "lines" || part === "ct" || part === "nct") return text;
  const line = trimLine(text, part === "sw" ? "start" : part === "ew" ? "end" : "both");
  // Every text has an empty part, and none has white space at its ends.
  if (line === "" && part) return text;
  if (written === "url" && part !== "ew") return addScheme(line);
  return written === "email" && part === "ew" ? encodeEmail(line) : line;
}

/** Returns the choice that a text names in any case. */
function findChoice(text: string, choices: ReadonlySet<string> | undefined): string | null {
  return [text, text.toLowerCase(), text.toUpperCase()].find((each) => choices?.has(each)) ?? null;
}

/**
 * Returns one value in the form in which it is compared. Returns null and adds a fault if the field cannot
 * have it.
 */
function readScalar(
  value: unknown,
  field: Compared,
  path: string,
  reading: Reading,
): string | number | null {
  const { type, choices } = field;
  const reportFault = (code: FieldCode, message: string) => fault(reading, path, code, message);
  // Counts only as many UTF-16 units as show that a text is too long: a code point has at most two.
  const length = typeof value === "object" ? 0 : [...String(value).slice(0, 2 * longestText + 1)].length;
  if (typeof value === "string" && length > longestText) {
    return reportFault("max", `At most ${longestText} characters.`);
  }
  reading.characters += length;
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? Number(value) : reportFault("type", "Must be true or false.");
    case "integer":
      return Number.isSafeInteger(value) ? value as number : reportFault("type", "Must be an integer.");
    case "number":
      return Number.isFinite(value) ? value as number : reportFault("type", "Must be a number.");
  }
  if (typeof value !== "string") return reportFault("type", "Must be a string.");
  switch (type) {
    case "text": {
      const text = foldText(asStored(value, field));
      if (!choices || choices.has(text) || reading.kept) return text;
      return reportFault("enum", `There is no such choice${suggestChoices(value, field, reading)}.`);
    }
    case "uuid":
    case "reference":
      return isUuid(value) ? value.toLowerCase() : reportFault("type", "Must be a UUID.");
    case "choice":
      return findChoice(trimLine(value), choices) ?? (reading.kept ? value : reportFault(
        "enum",
        `There is no such choice${suggestChoices(value, field, reading)}.`,
      ));
    case "timestamp":
    case "date": {
      if (type === "date" && parseDate(value) !== null) return value;
      const ms = value.startsWith("NOW") ? relative(value, reading.now) : parseTimestamp(value);
      if (ms === null) {
        return reportFault(
          "format",
          "Must be Y-m-d H:i:s in UTC, or NOW with + or -, a number and one of y M w d h m s.",
        );
      }
      return type === "date" ? formatDate(ms) : formatTimestamp(ms);
    }
  }
}

function suggestChoices(value: string, { choices = new Set(), labels }: Compared, reading: Reading): string {
  if (choices.size === 0) return "";
  return suggestNearest(value, reading, () => {
    const words = labels?.() ?? new Map<string, string>();
    return [...choices].map((id) => words.has(id) ? `${words.get(id)} (${id})` : id);
  });
}

/** Names that a message lists. */
const mostListed = 10;
/**
 * The most faults of a filter whose messages list existing names: the search for near names takes a
 * millisecond.
 */
const mostHelped = 5;

/** Returns the end of a message: the existing names that are nearest to the given one. */
export function suggestNearest(
  given: string,
  { errors }: Reading,
  existing: () => readonly string[],
): string {
  if (errors.length >= mostHelped) return "";
  const all = existing();
  const near = findNearestNames(given, all, mostListed);
  if (near.length === 0) return "";
  return near.length === all.length
    ? `; there are ${near.join(", ")}`
    : `; the nearest of ${all.length} are ${near.join(", ")}`;
}

/** Adds a fault. */
export function fault(reading: Reading, path: string, code: FieldCode, message: string): null {
  reading.errors.push(fieldError(path, code, message));
  return null;
}

const form = /^NOW(?:([+-])(\d{1,15})([yMwdhms]))?$/;
const seconds: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };
const first = Date.parse("0000-01-01T00:00:00Z");
const last = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Returns the moment of a relative date, counted from `now` (epoch milliseconds). Null for another form, and
 * for a moment outside of the years 0 to 9999.
 */
function relative(text: string, now: number): number | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, sign, digits, unit] = match;
  if (!unit) return now;
  const amount = (sign === "-" ? -1 : 1) * Number(digits);
  const ms = unit === "y" || unit === "M"
    ? addMonths(now, unit === "y" ? amount * 12 : amount)
    : now + amount * seconds[unit]! * 1000;
  return ms >= first && ms <= last ? ms : null;
}

/** Returns the same day of another month, or the last day of that month if it is shorter. */
function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(ms);
  lastDay.setUTCDate(1);
  lastDay.setUTCMonth(month + 1, 0);
  const day = Math.min(date.getUTCDate(), lastDay.getUTCDate());
  date.setUTCDate(1);
  date.setUTCMonth(month, day);
  return date.getTime();
}

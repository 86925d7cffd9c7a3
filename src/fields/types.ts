/** Values of custom and fixed fields, by the type of the field. */
import { type FieldError, fieldError } from "../core/errors.ts";
import type { CustomField, CustomValue } from "./custom_fields.ts";
import type { FieldType, FixedField, Validation } from "./fixed_fields.ts";
import { isUuid } from "../core/ids.ts";
import { addScheme, controlsRule, hasControls, isEmail, isHttpUrl, trimLine } from "../core/lines.ts";
import { isLonger } from "../core/text.ts";
import { parseDate } from "../core/time.ts";

type Fault = (code: FieldError["code"], message: string) => undefined;

/** The longest text, in characters. */
const longest: Partial<Record<FieldType, number>> = { text: 255, multi_line: 65_535 };

/** The validations that a type can have. Any other would reject every value. */
export const validationsOf: Readonly<Record<FieldType, readonly Validation[]>> = {
  text: ["boolean", "date", "email", "numeric", "url"],
  multi_line: ["boolean", "date", "email", "numeric", "url"],
  numeric: ["numeric"],
  date: ["date"],
  boolean: ["boolean"],
  single_choice: [],
  multiple_choice: [],
};

/**
 * Returns the value in its stored form; null clears. Returns undefined and adds a fault to `errors` when it
 * breaks a rule.
 */
export function readCustomValue(
  value: unknown,
  field: CustomField,
  at: string,
  errors: FieldError[],
): CustomValue | null | undefined {
  const fault: Fault = (code, message) => void errors.push(fieldError(at, code, message));
  if (value === undefined) return fault("required", "Must be given; null clears.");
  if (typeof value === "string" && field.type !== "multi_line") value = trimLine(value);
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return null;
  switch (field.type) {
    case "text":
    case "multi_line": {
      if (typeof value !== "string") return fault("type", "Must be a string.");
      return readText(value, field, longest[field.type]!, fault);
    }
    case "numeric":
      return typeof value === "number" && Number.isFinite(value) ? value : fault("type", "Must be a number.");
    case "boolean":
      return typeof value === "boolean" ? value : fault("type", "Must be true or false.");
    case "date":
      if (typeof value !== "string") return fault("type", "Must be a date, as Y-m-d.");
      if (parseDate(value) === null) return fault("format", "Must be a date that exists, as Y-m-d.");
      return value;
    case "single_choice":
      return readOption(value, field, fault);
    case "multiple_choice": {
      if (!Array.isArray(value)) return fault("type", "Must be a list of option ids.");
      const ids = value.map((each) => readOption(each, field, fault));
      return ids.includes(undefined) ? undefined : [...new Set(ids as string[])];
    }
  }
}

/** Reads the value of a fixed field, as `readCustomValue` does for a custom field. */
export function readFixedValue(
  value: unknown,
  field: FixedField,
  at: string,
  errors: FieldError[],
): string | number | null | undefined {
  const fault: Fault = (code, message) => void errors.push(fieldError(at, code, message));
  if (value === undefined) return fault("required", "Must be given; null clears.");
  // White space alone counts as no value.
  if (typeof value === "string") value = trimLine(value);
  if (value === null || value === "") return null;
  if (field.options) {
    const id = typeof value === "object" ? (value as { id?: unknown }).id : value;
    if (typeof id !== "string") return fault("type", "Must be an option id, or an object with an `id`.");
    const option = field.options().find((option) => option.id.toLowerCase() === id.toLowerCase());
    return option?.id ?? fault("enum", "There is no such option.");
  }
  if (field.type === "numeric") {
    return Number.isFinite(value) ? value as number : fault("type", "Must be a number.");
  }
  if (typeof value !== "string") return fault("type", "Must be a string.");
  if (field.name === "phone_number" && !/\p{N}/u.test(value)) return fault("format", "Must have a digit.");
  return readText(value, field, 255, fault);
}

/** Returns a text in its stored form. Calls `fault` when it breaks a rule. */
function readText(
  given: string,
  { type, validation }: Pick<CustomField | FixedField, "type" | "validation">,
  most: number,
  fault: Fault,
): string | undefined {
  const value = validation === "url" ? addScheme(given) : given;
  if (type !== "multi_line" && hasControls(value)) return fault("format", controlsRule);
  if (isLonger(value, most)) fault("max", `At most ${most} characters.`);
  else if (validation !== null && !forms[validation].test(value)) fault("format", forms[validation].rule);
  else return value;
  return undefined;
}

const forms: Record<Validation, { test: (value: string) => boolean; rule: string }> = {
  email: { test: isEmail, rule: "Must be an e-mail address." },
  url: { test: isHttpUrl, rule: "Must be an http or https URL." },
  numeric: { test: (value) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value), rule: "Must be a number." },
  date: { test: (value) => parseDate(value) !== null, rule: "Must be a date that exists, as Y-m-d." },
  boolean: { test: (value) => /^(true|false|0|1)$/.test(value), rule: "Must be true, false, 1 or 0." },
};

function readOption(value: unknown, field: CustomField, fault: Fault): string | undefined {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : value;
  if (typeof id !== "string" || !isUuid(id)) {
    return fault("type", "Must be an option id, or an object with an `id`.");
  }
  const option = field.options.find((option) => option.id === id.toLowerCase());
  return option ? option.id : fault("enum", "There is no such option.");
}

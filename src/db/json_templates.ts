/** JSON of field values: the constant parts of each field are serialised once. */
import type { CustomValue } from "../core/fields.ts";
import type { FieldOption, FieldType, FixedField } from "../core/fixed_fields.ts";
import { joined, Json, type Plain } from "../core/json.ts";
import { constant } from "./json_pool.ts";

/** The constant JSON before and after a field's value. */
export interface JsonTemplate {
  /** The key of the value in the record. */
  readonly key: string;
  readonly before: string;
  readonly after: Json;
  /** The value's JSON by option id; null: not a choice. */
  readonly options: ReadonlyMap<string, string> | null;
  /** Replaces `after` where options have `checked`, because the JSON then depends on the chosen options. */
  readonly checked: ((value: CustomValue | null | undefined) => Json) | null;
}

interface Framed extends Pick<FixedField, "name" | "label" | "validation" | "required"> {
  readonly id: string | number;
  readonly key?: string;
  readonly type: FieldType;
  readonly hidden: boolean;
  readonly read_only: boolean;
  readonly options: readonly FieldOption[] | null;
  /** Whether all callers get the same options. */
  readonly constant?: boolean;
}

/** Options of at least this many characters are stored by name. */
const longChoices = 1_000;

/**
 * Returns the JSON template of a field. `checks`: whether options have the member `checked`. `brief`: whether
 * the field has no member `options`.
 */
export function jsonTemplateOf(
  field: Framed,
  place: { sortOrder: number; last: boolean; checks: boolean; brief?: boolean },
): JsonTemplate {
  const { id, type, name, label, validation, required, hidden, read_only } = field;
  const options = (field.options ?? []).map(({ id, value }) => ({ id, value }));
  const head = ascii({ id, type, name, label }).slice(0, -1);
  const rest = { validation, required, hidden, read_only, sort_order: place.sortOrder };
  const known = `,${ascii(rest).slice(1, -1)}`;
  const tail = `${known},"options":`;
  const end = place.last ? "}" : "},";
  const choices = ascii(options);
  const listed = choices.length <= longChoices || place.checks && !field.constant
    ? new Json(choices)
    : constant(choices, field.constant === true);
  const checked: JsonTemplate["checked"] = (value) => {
    const chosen = Array.isArray(value) ? value : [value];
    const marked = options.map((option) => ({ ...option, checked: chosen.includes(option.id) }));
    return new Json(tail + ascii(marked) + end);
  };
  return {
    key: field.key ?? name,
    before: `${head},"value":`,
    after: place.brief ? new Json(known + end) : joined([tail, listed, end]),
    options: field.options ? new Map(options.map((option) => [option.id, ascii(option)])) : null,
    checked: place.checks && !place.brief && options.length > 0 ? checked : null,
  };
}

/** Most digits of a field's position among all fields of its kind. */
const longestPlace = 3;

/**
 * Returns the most bytes that a custom field adds to a record: its template and, for a choice, the longest
 * value. The values of other types are not included.
 */
export function frameSize(field: Omit<Framed, "key" | "constant" | "required">, checks: boolean): number {
  const place = { sortOrder: 0, last: false, checks };
  const frame = jsonTemplateOf({ ...field, required: false }, place);
  const texts = [...frame.options?.values() ?? []].map((text) => text.length + 1);
  const chosen = field.type === "multiple_choice" ? sum(texts) : Math.max(0, ...texts);
  const after = frame.checked ? frame.checked([]) : frame.after;
  return frame.before.length + after.text.length + longestPlace + nothing.length + chosen;
}

/** JSON of an empty value; multiple choices have brackets. */
const nothing = "null";
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns a stored value as JSON. A deleted option becomes null, and is left out of a multiple choice. */
export function plainOf(value: CustomValue | undefined, options: JsonTemplate["options"]): string {
  if (value === undefined) return "null";
  if (!options) return JSON.stringify(value);
  if (typeof value === "string") return options.get(value) ?? "null";
  if (!Array.isArray(value)) return "null";
  return `[${value.flatMap((id) => options.get(id) ?? [])}]`;
}

/** Returns JSON in ASCII only, which is sent several times faster. */
function ascii(value: Plain): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** How records show fields: what all records share is made once for each field. */
import { countBytes } from "../core/budgets.ts";
import { placeConstant } from "../core/json.ts";
import { sha1Hex } from "../platform/crypto.ts";
import type { CustomValue, ShownField, ShownOption } from "./custom_fields.ts";
import type { FieldOption, FieldType, FixedField } from "./fixed_fields.ts";

/** A field as records show it, for `presentField`. */
export interface FieldFrame {
  /** The key of the value in the record. */
  readonly key: string;
  /** The field without a value. */
  readonly empty: ShownField;
  /** What records show for a choice, by option id; null: not a choice. */
  readonly options: ReadonlyMap<string, ShownOption> | null;
  /** Whether options have the member `checked`, which depends on the value. */
  readonly checks: boolean;
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

/** `checks`: whether options have the member `checked`. `brief`: whether the field has no member `options`. */
export function presentFrame(
  field: Framed,
  place: { sortOrder: number; checks: boolean; brief?: boolean },
): FieldFrame {
  const { id, type, name, label, validation, required, hidden, read_only } = field;
  const options = (field.options ?? []).map(({ id, value }) => ({ id, value }));
  const checks = place.checks && !place.brief && options.length > 0;
  const text = ascii(options);
  const isLong = text.length > longChoices && !checks;
  const known = {
    id,
    type,
    name,
    label,
    value: null,
    validation,
    required,
    hidden,
    read_only,
    sort_order: place.sortOrder,
  };
  const shared = field.constant === true;
  const shown = isLong
    ? placeConstant<readonly ShownOption[]>({ name: sha1Hex(text), text, shared })
    : options;
  return {
    key: field.key ?? name,
    empty: (place.brief ? known : { ...known, options: shown }) as ShownField,
    options: field.options ? new Map(options.map((option) => [option.id, option])) : null,
    checks,
  };
}

/** Presents the field with a stored value. Records without a value share the same object. */
export function presentField({ empty, options, checks }: FieldFrame, value: CustomValue | null): ShownField {
  if (!checks) return value === null ? empty : { ...empty, value: presentShownValue(value, options) };
  const chosen = Array.isArray(value) ? value : [value];
  const marked = empty.options.map((option) => ({ ...option, checked: chosen.includes(option.id) }));
  return { ...empty, value: presentShownValue(value, options), options: marked };
}

/** Returns the value as shown. A deleted option becomes null, and is left out of a multiple choice. */
function presentShownValue(value: CustomValue | null, options: FieldFrame["options"]): ShownField["value"] {
  if (typeof value === "object") {
    return value && options ? value.flatMap((id) => options.get(id) ?? []) : null;
  }
  return options ? options.get(String(value)) ?? null : value;
}

/** Most digits of a field's position among all fields of its kind. */
const longestPlace = 3;

/**
 * Returns the most bytes that a custom field adds to a record: the field and, for a choice, the longest value.
 * The values of other types are not included.
 */
export function frameSize(field: Omit<Framed, "key" | "constant" | "required">, checks: boolean): number {
  const options = (field.options ?? []).map(({ id, value }) => ({ id, value }));
  const { empty } = presentFrame({ ...field, options: [], required: false }, { sortOrder: 0, checks });
  const listed = ascii(checks ? options.map((option) => ({ ...option, checked: false })) : options);
  const sizes = options.map((option) => measureSize(option) + ",".length);
  const chosen = field.type === "multiple_choice" ? sum(sizes) : Math.max(0, ...sizes);
  return measureSize(empty) + listed.length + ",".length + longestPlace + chosen;
}

const measureSize = (value: object) => countBytes(JSON.stringify(value));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns JSON in ASCII only, which is sent several times faster. */
function ascii(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

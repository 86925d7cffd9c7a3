/** `fixed_fields` and `custom_fields` of a request: lists of `{id or name, value}`. */
import { z } from "zod";
import { partBudgets } from "../core/budgets.ts";
import { type FieldError, fieldError } from "../core/errors.ts";
import type { CustomField, CustomValue, CustomValues } from "./custom_fields.ts";
import { fieldTypes, type FixedField, validations } from "./fixed_fields.ts";
import { isUuid } from "../core/ids.ts";
import type { FieldSet } from "./field_sets.ts";
import { followLinks } from "./links.ts";
import { readCustomValue, readFixedValue } from "./types.ts";

const ChosenOption = z.object({ id: z.string(), value: z.string() })
  .meta({ id: "ChosenOption", example: { id: "product", value: "Product" } });

/** A value in answers. */
const ShownValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  ChosenOption,
  z.array(ChosenOption),
  z.null(),
]);

/** A value in requests, for the OpenAPI document only: each field validates its own values. */
const option = {
  anyOf: [
    { type: "string" as const },
    { type: "object" as const, properties: { id: { type: "string" as const } }, required: ["id"] },
  ],
};
const givenValue = {
  anyOf: [
    { type: ["string", "number", "boolean", "null"] as never },
    option.anyOf[1]!,
    { type: "array" as const, items: option },
  ],
};

export const FieldValue = z.object({
  id: z.union([z.int(), z.string()]).meta({ example: 1 }),
  type: z.enum(fieldTypes),
  name: z.string().meta({ example: "name" }),
  label: z.string().meta({ example: "Name" }),
  value: ShownValue.meta({ description: "By the type of the field; null: no value.", example: "Ada Ltd" }),
  validation: z.enum(validations).nullable(),
  required: z.boolean(),
  hidden: z.boolean(),
  read_only: z.boolean(),
  sort_order: z.int(),
  options: z.array(z.object({ id: z.string(), value: z.string() })),
}).meta({
  id: "FieldValue",
  example: {
    id: 1,
    type: "text",
    name: "name",
    label: "Name",
    value: "Ada Ltd",
    validation: null,
    required: true,
    hidden: false,
    read_only: false,
    sort_order: 1,
    options: [],
  },
});

const BriefFieldValue = FieldValue.omit({ options: true });

/** The values of a record in a short row of a list: without the options of their fields. */
export const briefValues = {
  fixed_fields: z.array(BriefFieldValue),
  custom_fields: z.array(BriefFieldValue),
};

export const FieldValues = z.array(
  z.looseObject({
    id: z.unknown().optional().meta({ type: ["integer", "string"] as never, example: 1 }),
    name: z.string().optional().meta({ example: "name" }),
    value: z.unknown().optional().meta({
      ...givenValue,
      example: "Ada Ltd",
      description: "By the type of the field; an option by its id; null clears.",
    }),
  }).meta({ required: ["value"] }),
).max(500, "At most 500 values.").meta({
  id: "FieldValues",
  description:
    "Values by the name or the id of their field. Those of a record's custom fields, choices aside, take " +
    `${partBudgets.values / 1024} KiB at most.`,
  example: [{ name: "name", value: "Ada Ltd" }],
});

export type FieldValueList = z.output<typeof FieldValues>;

/** The lists of values in a body. */
export interface FieldsBody {
  readonly fixed_fields?: FieldValueList | null | undefined;
  readonly custom_fields?: FieldValueList | null | undefined;
}

/** The custom values in a request, by field id; null clears. */
export type GivenValues = Readonly<Record<string, CustomValue | null>>;

/** The values of a record's fields in a request: fixed ones by name, custom ones by id; null clears. */
export interface GivenFields<Fixed extends string | number = string> {
  readonly fixed: Partial<Record<string, Fixed | null>>;
  readonly custom: GivenValues;
}

/** The values that a record has: fixed ones by name, custom ones by id. */
export interface StoredFields {
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly custom: CustomValues;
}

/**
 * Reads the values that a body names and adds faults to `errors`. `path` is the prefix of the lists, such as
 * `account.`. A text that the record has already (`stored`) may break rules that are younger than it, so that
 * a client can send back what it read.
 */
export function readFields<Fixed extends string | number = string>(
  { fixed_fields, custom_fields }: FieldsBody,
  { fixed, custom }: FieldSet,
  path: string,
  errors: FieldError[],
  stored: StoredFields = { fixed: {}, custom: {} },
): GivenFields<Fixed> {
  const fixedValues = readValues(
    fixed_fields,
    fixed,
    "name",
    unlessStored(readFixedValue, (field) => stored.fixed[field.name]),
    `${path}fixed_fields`,
    errors,
  );
  return {
    // The fields decide the types: only products have numeric fixed fields.
    fixed: fixedValues as GivenFields<Fixed>["fixed"],
    custom: readValues(
      custom_fields,
      custom,
      "id",
      unlessStored(readCustomValue, (field) => stored.custom[field.id]),
      `${path}custom_fields`,
      errors,
    ),
  };
}

type Read<Field, Value> = (
  value: unknown,
  field: Field,
  at: string,
  errors: FieldError[],
) => Value | undefined;

/** Returns a reader that takes the text that the record has, and reads any other value with `read`. */
function unlessStored<Field, Value>(
  read: Read<Field, Value>,
  getStored: (field: Field) => unknown,
): Read<Field, Value | string> {
  return (value, field, at, errors) =>
    typeof value === "string" && value === getStored(field) ? value : read(value, field, at, errors);
}

/** Returns the values that `read` accepts, by the `key` of their fields; undefined for fixed ones that it refuses. */
function readValues<Field extends FixedField | CustomField, Value>(
  given: FieldValueList | null | undefined,
  fields: readonly Field[],
  key: "id" | "name",
  read: Read<Field, Value>,
  path: string,
  errors: FieldError[],
): Record<string, Value> {
  const values: Record<string, Value> = {};
  given?.forEach((item, index) => {
    const at = `${path}[${index}]`;
    const field = findField(item, fields, at, errors);
    if (!field) return;
    const value = read(item.value, field, `${at}.value`, errors);
    if (value !== undefined || key === "name") values[field[key]] = value as Value;
  });
  return values;
}

/** Returns whether the body gives the fixed field a value that is refused: such a field is not missing. */
export function isRefused(values: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] === undefined;
}

/** Reports missing required values, unless a field of the list at `path` is not known: its name may be misspelled. */
export function requireValues(
  path: string,
  rule: string,
  example: Readonly<Record<string, string>>,
  errors: FieldError[],
): void {
  if (errors.some((error) => error.path.startsWith(`${path}[`) && !error.path.endsWith(".value"))) return;
  errors.push(fieldError(path, "required", `${rule} ${writeExample(example)}`));
}

/**
 * Returns an example of `fixed_fields`, such as `Example: {"fixed_fields": [{"name": "name", "value": "Ada
 * Ltd"}]}.`
 */
export function writeExample(values: Readonly<Record<string, string>>): string {
  const items = Object.entries(values).map(([name, value]) => `{"name": "${name}", "value": "${value}"}`);
  return `Example: {"fixed_fields": [${items.join(", ")}]}.`;
}

/**
 * Returns the custom values of a record after a request. Fields that it does not name keep their values,
 * except where links change them. Adds faults (a changed read-only field, an option that a link does not
 * show) to `errors`; `at` returns the path of a field that the request names.
 */
export function mergeCustom(
  before: CustomValues,
  given: GivenValues,
  fields: FieldSet,
  at: (field: CustomField) => string,
  errors: FieldError[],
): CustomValues {
  const after: Record<string, CustomValue> = { ...before };
  for (const [id, value] of Object.entries(given)) {
    const field = fields.custom.find((field) => field.id === id);
    if (field?.is_read_only && !same(before[id], value)) {
      errors.push(fieldError(at(field), "not_editable", `The field ${field.name} is read-only.`));
    } else if (value === null) delete after[id];
    else after[id] = value;
  }
  followLinks(before, after, given, fields.custom, at, errors);
  return after;
}

/**
 * Returns the path of a custom field's value in a body. `path` is the prefix of the lists, such as
 * `account.`.
 */
export function valueAt({ custom_fields }: FieldsBody, path = ""): (field: CustomField) => string {
  return ({ id, name }) => {
    const index =
      custom_fields?.findLastIndex((item) =>
        typeof item.id === "string" ? item.id.toLowerCase() === id : item.name === name
      ) ?? -1;
    return index < 0 ? `${path}custom_fields` : `${path}custom_fields[${index}].value`;
  };
}

function same(before: CustomValue | undefined, value: CustomValue | null): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(value);
}

function findField<Field extends FixedField | CustomField>(
  item: FieldValueList[number],
  fields: readonly Field[],
  at: string,
  errors: FieldError[],
): Field | undefined {
  const { id, name } = item;
  if (id !== undefined && id !== null) {
    const field = fields.find((field) => field.id === (typeof id === "string" ? id.toLowerCase() : id));
    if (field) return field;
    const formed = typeof id === "string" ? isUuid(id) : Number.isSafeInteger(id);
    errors.push(
      formed
        ? fieldError(`${at}.id`, "exists", "There is no such field.")
        : fieldError(`${at}.id`, "type", "Must be the id of a field."),
    );
  } else if (name !== undefined) {
    const field = fields.find((field) => field.name === name);
    if (field) return field;
    const known = fields.slice(0, 20).map(({ name }) => name).join(", ");
    const there = known === "" ? "" : `; there are ${known}`;
    errors.push(fieldError(`${at}.name`, "unknown_field", `There is no such field${there}.`));
  } else errors.push(fieldError(at, "required", "Name the field by id or name."));
  return undefined;
}

/** `fixed_fields` and `custom_fields` of a request: lists of `{id or name, value}`. */
import { z } from "@hono/zod-openapi";
import { type FieldError, fieldError } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import { isHttpUrl } from "../../http/fields.ts";
import type { FixedField } from "./catalogue.ts";

export const FieldValues = z.array(z.looseObject({
  id: z.unknown().optional().openapi({ type: ["integer", "string"] as never, example: 1 }),
  name: z.string().optional().openapi({ example: "name" }),
  value: z.unknown().optional().openapi({
    example: "Ada Ltd",
    description: "As the field's type has it; null clears.",
  }),
})).max(500, "At most 500 values.").openapi("FieldValues", {
  description: "Values by the name or the id of their field.",
  example: [{ name: "name", value: "Ada Ltd" }],
});

export type FieldValueList = z.output<typeof FieldValues>;

const longest = 255;
const isEmail = (value: string) => z.email().safeParse(value).success;

/**
 * The values of fixed fields by name; faults are added to `errors` with their path below `path`. What the
 * list does not name is absent from the result; null clears.
 */
export function readFixedFields<Name extends string>(
  given: FieldValueList | null | undefined,
  fields: readonly FixedField[],
  path: string,
  errors: FieldError[],
): Partial<Record<Name, string | null>> {
  const values: Partial<Record<string, string | null>> = {};
  given?.forEach((item, index) => {
    const at = `${path}[${index}]`;
    const field = fieldOf(item, fields, at, errors);
    if (!field) return;
    const value = readValue(item.value, field, `${at}.value`, errors);
    if (value !== undefined) values[field.name] = value;
  });
  return values as Partial<Record<Name, string | null>>;
}

/** A company has no custom fields of its own so far: whatever is named does not exist. */
export function readCustomFields(
  given: FieldValueList | null | undefined,
  path: string,
  errors: FieldError[],
): void {
  given?.forEach((item, index) => {
    const at = `${path}[${index}]`;
    if (item.id !== undefined && item.id !== null) {
      const code = typeof item.id === "string" && isUuid(item.id) ? "exists" : "type";
      errors.push(
        fieldError(`${at}.id`, code, code === "type" ? "Must be a UUID." : "There is no such field."),
      );
    } else if (item.name !== undefined) {
      errors.push(fieldError(`${at}.name`, "unknown_field", "There is no such field."));
    } else errors.push(fieldError(at, "required", "Name the field by id or name."));
  });
}

function fieldOf(
  item: FieldValueList[number],
  fields: readonly FixedField[],
  at: string,
  errors: FieldError[],
): FixedField | undefined {
  if (item.id !== undefined && item.id !== null) {
    const field = fields.find(({ id }) => id === item.id);
    if (field) return field;
    const code = Number.isSafeInteger(item.id) ? "exists" : "type";
    errors.push(
      fieldError(`${at}.id`, code, code === "type" ? "Must be an integer id." : "There is no such field."),
    );
  } else if (item.name !== undefined) {
    const field = fields.find(({ name }) => name === item.name);
    if (field) return field;
    const known = fields.map(({ name }) => name).join(", ");
    errors.push(fieldError(`${at}.name`, "unknown_field", `There is no such field; there are ${known}.`));
  } else errors.push(fieldError(at, "required", "Name the field by id or name."));
  return undefined;
}

function readValue(
  value: unknown,
  field: FixedField,
  at: string,
  errors: FieldError[],
): string | null | undefined {
  const fault = (code: FieldError["code"], message: string) =>
    void errors.push(fieldError(at, code, message));
  if (value === undefined) return fault("required", "Must be given; null clears.");
  if (value === null || value === "") return null;
  if (field.options) {
    const id = typeof value === "object" ? (value as { id?: unknown }).id : value;
    if (typeof id !== "string") return fault("type", "Must be an option id, or an object with it.");
    if (field.options().some((option) => option.id === id)) return id;
    return fault("enum", "There is no such option.");
  }
  if (typeof value !== "string") return fault("type", "Must be a string.");
  if (value.length > longest) return fault("max", `At most ${longest} characters.`);
  if (field.validation === "email" && !isEmail(value)) return fault("format", "Must be an e-mail address.");
  if (field.validation === "url" && !isHttpUrl(value)) {
    return fault("format", "Must be an http or https URL.");
  }
  return value;
}

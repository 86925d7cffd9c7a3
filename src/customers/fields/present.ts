/** Field values as the wire has them: every field of the record's kind, with its options. */
import { z } from "@hono/zod-openapi";
import { sha1Hex } from "../../platform/crypto.ts";
import { constant, Json, type Plain } from "../../core/json.ts";
import {
  type AccountFieldName,
  accountFields,
  type ContactFieldName,
  contactFields,
  type FixedField,
} from "./catalogue.ts";

export const FieldValue = z.object({
  id: z.union([z.int(), z.string()]).openapi({ example: 1 }),
  type: z.enum(["text", "single_choice", "multiple_choice", "numeric", "date", "boolean", "multi_line"]),
  name: z.string().openapi({ example: "name" }),
  label: z.string().openapi({ example: "Name" }),
  value: z.unknown().openapi({ example: "Ada Ltd" }),
  validation: z.enum(["boolean", "date", "email", "numeric", "url"]).nullable(),
  required: z.boolean(),
  hidden: z.boolean(),
  read_only: z.boolean(),
  sort_order: z.int(),
  options: z.array(z.object({ id: z.string(), value: z.string() })),
}).openapi("FieldValue", {
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

/** What never changes of a field's value: the JSON before the value and after it. */
interface Frame {
  readonly name: string;
  readonly before: string;
  readonly after: Json;
  /** The value's text by option id; null: plain text. */
  readonly options: ReadonlyMap<string, string> | null;
}

/** Writes `fixed_fields` of one kind of record; the unchanging text is made once, on the first call. */
function writer<Name extends string>(fields: readonly FixedField[]) {
  let frames: Frame[] | null = null;
  return (values: Readonly<Record<Name, string | null>>): Json => {
    frames ??= fields.map(frameOf);
    let text = "[";
    let tag = "[";
    for (const frame of frames) {
      const value = values[frame.name as Name];
      const plain = frame.options ? frame.options.get(value ?? "") ?? "null" : JSON.stringify(value);
      text += frame.before + plain + frame.after.text;
      tag += frame.before + plain + frame.after.tag;
    }
    return new Json(text + "]", tag + "]");
  };
}

export const accountFixedFields = writer<AccountFieldName>(accountFields);
export const contactFixedFields = writer<ContactFieldName>(contactFields);

export const noCustomFields = new Json("[]");

/** JSON in ASCII alone: a text without other letters is sent several times faster. */
function ascii(value: Plain): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function frameOf(field: FixedField, index: number, all: readonly FixedField[]): Frame {
  const options = field.options?.() ?? [];
  const { id, type, name, label, validation, required } = field;
  const head = ascii({ id, type, name, label }).slice(0, -1);
  const rest = { validation, required, hidden: false, read_only: false, sort_order: index + 1 };
  const tail = `,${ascii(rest).slice(1, -1)},"options":`;
  const end = index < all.length - 1 ? "}," : "}";
  const choices = ascii(options);
  const listed = options.length > 0 ? constant(sha1Hex(choices), choices) : new Json(choices);
  return {
    name,
    before: `${head},"value":`,
    after: new Json(tail + listed.text + end, tail + listed.tag + end),
    options: field.options ? new Map(options.map((option) => [option.id, ascii(option)])) : null,
  };
}

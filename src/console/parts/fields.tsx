/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The fixed and custom fields of a record: their values, and the controls that change them. */
import { fixedFields } from "../../fields/fixed_fields.ts";
import { AreaField, CheckboxGroup, type Choice, SelectField, TextField } from "../forms.tsx";
import type { Visit } from "../visit.ts";
import { findLabel, nameCountry } from "./labels.ts";

export interface Option {
  readonly id: string;
  readonly value: string;
}

export interface RecordField {
  readonly id: number | string;
  readonly type: string;
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly validation: string | null;
  readonly required: boolean;
  readonly hidden: boolean;
  readonly read_only: boolean;
  readonly sort_order: number;
  readonly options: readonly Option[];
}

export interface Fielded {
  readonly fixed_fields: readonly RecordField[];
  readonly custom_fields: readonly RecordField[];
}

/** A field of a form, with its name there and the path by which faults name it. */
interface Placed extends RecordField {
  readonly control: string;
  readonly path: string;
}

/** Returns the fields that people see, in their order. */
export function pickShownFields({ fixed_fields, custom_fields }: Fielded): RecordField[] {
  return [...fixed_fields, ...custom_fields].filter(({ hidden }) => !hidden)
    .sort((one, other) => one.sort_order - other.sort_order);
}

function placeFields(fields: readonly RecordField[], list: "fixed" | "custom"): Placed[] {
  return fields.filter(({ hidden, read_only }) => !hidden && !read_only).map((field, index) => ({
    ...field,
    control: `${list}.${list === "fixed" ? field.name : field.id}`,
    path: `${list}_fields[${index}].value`,
  }));
}

/** Returns `fixed_fields` and `custom_fields` of a body, with the values of the form. */
export function readFieldsForm(form: FormData, record: Fielded) {
  const readValues = (fields: readonly RecordField[], list: "fixed" | "custom") =>
    placeFields(fields, list).map((field) => ({ id: field.id, value: readValue(form, field) }));
  return {
    fixed_fields: readValues(record.fixed_fields, "fixed"),
    custom_fields: readValues(record.custom_fields, "custom"),
  };
}

/** Texts that are no number stay, so that the API refuses them. */
function readValue(form: FormData, { control, type }: Placed): unknown {
  const sent = form.getAll(control).filter((one) => typeof one === "string" && one.trim() !== "") as string[];
  if (type === "multiple_choice") return sent;
  const [text] = sent;
  if (text === undefined) return null;
  if (type === "boolean") return text === "true";
  const isNumber = type === "numeric" && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

/** Reads the fields that a new record of the kind has. */
export async function readNewFields({ call }: Visit, owner: "account" | "contact"): Promise<Fielded> {
  const params = { owner_type: owner };
  const [{ data: custom }, { data: order }] = await Promise.all([
    call<{ data: (RecordField & { is_hidden: boolean; is_read_only: boolean })[] }>("listFields", { params }),
    call<{ data: { value: string }[] }>("getFieldSort", { params }),
  ]);
  const places = new Map(order.map(({ value }, index) => [value, index]));
  const last = order.length;
  return {
    fixed_fields: fixedFields[owner].map((field) => ({
      ...field,
      value: null,
      hidden: false,
      read_only: false,
      sort_order: places.get(field.name) ?? last,
      options: field.options?.() ?? [],
    })),
    custom_fields: custom.map((field) => ({
      ...field,
      value: null,
      required: false,
      hidden: field.is_hidden,
      read_only: field.is_read_only,
      sort_order: places.get(String(field.id)) ?? last,
    })),
  };
}

interface InputsProps {
  readonly visit: Visit;
  readonly action: string;
  readonly record: Fielded;
  /** The field that a fault of the record as a whole belongs to. */
  readonly first: string;
}

export function FieldInputs({ visit, action, record, first }: InputsProps) {
  const fields = [
    ...placeFields(record.fixed_fields, "fixed"),
    ...placeFields(record.custom_fields, "custom"),
  ];
  return (
    <div class="fields">
      {pickShownFields(record).map((field) => {
        const found = fields.find(({ id }) => id === field.id);
        return found
          ? (
            <Input
              key={field.id}
              visit={visit}
              action={action}
              field={found}
              isFirst={field.name === first}
            />
          )
          : <Fixed key={field.id} visit={visit} field={field} />;
      })}
    </div>
  );
}

/** A field that cannot be changed. */
function Fixed({ visit, field }: { visit: Visit; field: RecordField }) {
  const id = `read-only-${field.id}`;
  return (
    <div class="field">
      <label for={id}>{findLabel(visit, field)}</label>
      <input id={id} value={formatFieldValue(visit, field) ?? ""} readonly disabled />
    </div>
  );
}

const types: Readonly<Record<string, "email" | "url" | "number" | "date">> = {
  email: "email",
  numeric: "number",
  date: "date",
};

function Input(
  { visit, action, field, isFirst }: { visit: Visit; action: string; field: Placed; isFirst: boolean },
) {
  const { texts, forms } = visit;
  const { type, value, options, validation, name } = field;
  const in_ = {
    forms,
    action,
    name: field.control,
    label: findLabel(visit, field),
    path: isFirst ? [field.path, "fixed_fields"] : field.path,
  };
  const choices = options.map((option): Choice => ({
    value: option.id,
    text: nameOption(visit, field, option),
  }));
  const none = { value: "", text: "–" };
  if (type === "multiple_choice") return <CheckboxGroup {...in_} values={listIds(value)} choices={choices} />;
  if (type === "single_choice" || options.length > 0) {
    return <SelectField {...in_} value={listIds(value)[0] ?? ""} choices={[none, ...choices]} />;
  }
  const text = value === null ? null : String(value);
  if (type === "boolean") {
    const both = [{ value: "true", text: texts.yes }, { value: "false", text: texts.no }];
    return <SelectField {...in_} value={text} choices={[none, ...both]} />;
  }
  if (type === "multi_line") return <AreaField {...in_} value={text} />;
  const kind = name === "phone_number" ? "tel" : types[validation ?? type] ?? "text";
  return <TextField {...in_} type={kind} value={text} />;
}

/** Returns the ids of the chosen options of a value. */
function listIds(value: unknown): string[] {
  const ids = (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === "object" && one !== null ? (one as Option).id : one
  );
  return ids.filter((one) => one !== null && one !== "").map(String);
}

function nameOption(visit: Visit, { id, name }: Pick<RecordField, "id" | "name">, option: Option): string {
  const isCountry = typeof id === "number" && name === "country";
  return isCountry ? nameCountry(visit, option.id, option.value) : option.value;
}

/** Returns the value of a field as people read it; null without one. */
export function formatFieldValue(
  visit: Visit,
  field: Pick<RecordField, "id" | "name" | "value" | "type" | "options">,
): string | null {
  const { texts, formats } = visit;
  const { value, type, options } = field;
  const one = (value: unknown): string => {
    if (typeof value === "object" && value !== null) return nameOption(visit, field, value as Option);
    if (typeof value === "boolean") return value ? texts.yes : texts.no;
    if (typeof value === "number") return formats.number(value);
    if (type === "date" && typeof value === "string") return formats.date(value);
    const option = options.find(({ id }) => id === value);
    return option ? nameOption(visit, field, option) : String(value);
  };
  if (value === null || value === "") return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(one).join(", ");
  return one(value);
}

/** The fixed fields of each kind of record. Their names and ids never change. */
import { listCountries } from "../core/reference.ts";

/** Kinds of records that have fields. */
export const ownerTypes = ["account", "contact", "product", "team"] as const;
export type OwnerType = (typeof ownerTypes)[number];

export const fieldTypes = [
  "boolean",
  "date",
  "multi_line",
  "multiple_choice",
  "numeric",
  "single_choice",
  "text",
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** The format of a value, besides its type. */
export const validations = ["boolean", "date", "email", "numeric", "url"] as const;
export type Validation = (typeof validations)[number];

export interface FieldOption {
  readonly id: string;
  readonly value: string;
}

export interface FixedField {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "single_choice" | "numeric";
  readonly validation: Validation | null;
  readonly required: boolean;
  /** Choices by id; null: not a choice. */
  readonly options: (() => readonly FieldOption[]) | null;
}

function field(id: number, name: string, label: string, more: Partial<FixedField> = {}): FixedField {
  return { id, name, label, type: "text", validation: null, required: false, options: null, ...more };
}

const listCountryOptions = () => listCountries().map(({ code, name }) => ({ id: code, value: name }));

export const accountFields = [
  field(1, "name", "Name", { required: true }),
  field(2, "address", "Address"),
  field(3, "zip_code", "Zip code"),
  field(4, "city", "City"),
  field(5, "state_region", "State/region"),
  field(6, "country", "Country", { type: "single_choice", options: listCountryOptions }),
  field(7, "vat", "VAT number"),
  field(8, "website", "Website", { validation: "url" }),
] as const;

export const contactFields = [
  field(11, "salutation", "Salutation"),
  field(12, "first_name", "First name"),
  field(13, "last_name", "Last name"),
  field(14, "email", "E-mail", { validation: "email" }),
  field(15, "phone_number", "Phone number"),
  field(16, "title", "Title"),
] as const;

const listProductTypes = () => [
  { id: "product", value: "Product" },
  { id: "service", value: "Service" },
];

export const productFields = [
  field(21, "name", "Name", { required: true }),
  field(22, "list_price", "List price", { type: "numeric", validation: "numeric" }),
  field(23, "purchase_price", "Purchase price", { type: "numeric", validation: "numeric" }),
  field(24, "type", "Type", { type: "single_choice", options: listProductTypes }),
  field(25, "tax", "Tax", { type: "numeric", validation: "numeric" }),
] as const;

/** The fixed fields by kind of record. A team's own columns are not among its fields. */
export const fixedFields: Readonly<Record<OwnerType, readonly FixedField[]>> = {
  account: accountFields,
  contact: contactFields,
  product: productFields,
  team: [],
};

export type AccountFieldName =
  | "name"
  | "address"
  | "zip_code"
  | "city"
  | "state_region"
  | "country"
  | "vat"
  | "website";
export type ContactFieldName = "salutation" | "first_name" | "last_name" | "email" | "phone_number" | "title";

/** The fixed fields of each kind of record: names and ids that never change. */
import { countries } from "../../core/reference.ts";

export interface FixedField {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "single_choice" | "numeric";
  readonly validation: "email" | "url" | "numeric" | null;
  readonly required: boolean;
  /** Choices by id; null: not a choice. */
  readonly options: (() => readonly { id: string; value: string }[]) | null;
}

function field(id: number, name: string, label: string, more: Partial<FixedField> = {}): FixedField {
  return { id, name, label, type: "text", validation: null, required: false, options: null, ...more };
}

const countryOptions = () => countries().map(({ code, name }) => ({ id: code, value: name }));

export const accountFields = [
  field(1, "name", "Name", { required: true }),
  field(2, "address", "Address"),
  field(3, "zip_code", "Zip code"),
  field(4, "city", "City"),
  field(5, "state_region", "State/region"),
  field(6, "country", "Country", { type: "single_choice", options: countryOptions }),
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

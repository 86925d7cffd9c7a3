/** What an import can set, and an export gives by the same names: the columns of each kind of record. */
import type { CustomField } from "../../fields/custom_fields.ts";
import type { FieldType, FixedField } from "../../fields/fixed_fields.ts";
import { channels } from "../../customers/contacts/record.ts";
import type { Fields, FieldSet } from "../../fields/field_sets.ts";
import { embeddedChannels } from "../../sales/leads/parts.ts";
import type { ImportEntity } from "./entities.ts";

export type ColumnType = FieldType | "timestamp";

/** The record that a column is about: the one of the row, or one beside it. */
export type ColumnOwner = "self" | "account" | "contact";

/** What code needs to read and write the value of a column. */
export type ColumnSource =
  | { readonly kind: "fixed"; readonly of: ColumnOwner; readonly field: FixedField }
  | { readonly kind: "custom"; readonly of: ColumnOwner; readonly field: CustomField }
  | { readonly kind: "consent"; readonly of: ColumnOwner; readonly channel: string }
  /** First and last name in one. */
  | { readonly kind: "full_name"; readonly of: ColumnOwner }
  /** A property of the record that is no field, such as `external_id`. */
  | { readonly kind: "property"; readonly of: ColumnOwner; readonly property: string }
  | { readonly kind: "category"; readonly of: "self" }
  /** A line of `lead_data`; null: the column that stands for all keys. */
  | { readonly kind: "lead_data"; readonly of: "self"; readonly key: string | null };

export interface Column {
  readonly name: string;
  readonly label: string;
  readonly type: ColumnType;
  readonly required: boolean;
  readonly source: ColumnSource;
}

/** Stands for the columns of all keys. */
const anyKey = "lead_data.<key>";
const leadData = "lead_data.";

/** The columns of a kind of record with the fields of a company, in the order of exports. */
export function describeColumns(entity: ImportEntity, fields: Fields): Column[] {
  return catalogues[entity](fields);
}

/** Returns the column of a name. Each key of `lead_data` has one. */
export function findColumn(columns: readonly Column[], name: string): Column | null {
  const listed = columns.find((column) => column.name === name && name !== anyKey);
  if (listed) return listed;
  const any = columns.find((column) => column.name === anyKey);
  const key = name.startsWith(leadData) ? name.slice(leadData.length).trim() : "";
  if (!any || key === "" || name === anyKey) return null;
  return { ...any, name, label: key, source: { kind: "lead_data", of: "self", key } };
}

const catalogues: Readonly<Record<ImportEntity, (fields: Fields) => Column[]>> = {
  accounts: ({ account }) =>
    withCustom(account, "self", [externalId(), isConsumer, ...listFixed(account, "self"), createdAt]),
  contacts: ({ account, contact }) =>
    withCustom(contact, "self", [
      externalId(),
      isConsumer,
      ...listFixed(contact, "self"),
      fullName("self"),
      ...consents("self", channels),
      externalId("account"),
      ...listFixed(account, "account", false),
      createdAt,
    ]),
  products: ({ product }) =>
    withCustom(product, "self", [
      ...listFixed(product, "self"),
      column("category", "Category", "multiple_choice", { kind: "category", of: "self" }),
    ]),
  leads: ({ account, contact }) => [
    property("lead_type", "Lead type", "text", true),
    property("lead_source", "Lead source", "text", true),
    property("interest", "Interest", "multi_line"),
    property("external_weight", "External weight", "numeric"),
    isConsumer,
    column(anyKey, "Lead data", "text", { kind: "lead_data", of: "self", key: null }),
    ...withCustom(account, "account", listFixed(account, "account", false)),
    ...withCustom(contact, "contact", [
      ...listFixed(contact, "contact", false),
      fullName("contact"),
      ...consents("contact", embeddedChannels),
    ]),
    createdAt,
  ],
};

function column(
  name: string,
  label: string,
  type: ColumnType,
  source: ColumnSource,
  required = false,
): Column {
  return {
    name: makePrefix(source.of) + name,
    label: ownerLabels[source.of] + label,
    type,
    required,
    source,
  };
}

const makePrefix = (of: ColumnOwner) => of === "self" ? "" : `${of}.`;

const ownerLabels: Readonly<Record<ColumnOwner, string>> = {
  self: "",
  account: "Account: ",
  contact: "Contact: ",
};

function property(name: string, label: string, type: ColumnType, required = false): Column {
  return column(name, label, type, { kind: "property", of: "self", property: name }, required);
}

function externalId(of: ColumnOwner = "self"): Column {
  return column("external_id", "External id", "text", { kind: "property", of, property: "external_id" });
}

const isConsumer = property("b2c", "Consumer", "boolean");
const createdAt = property("created_at", "Created at", "timestamp");

function fullName(of: ColumnOwner): Column {
  return column("full_name", "Full name", "text", { kind: "full_name", of });
}

function consents(of: ColumnOwner, names: readonly string[]): Column[] {
  return names.map((channel) =>
    column(`consent.${channel}`, `Consent: ${channel}`, "boolean", { kind: "consent", of, channel })
  );
}

/** Fixed fields stand in the order of their ids, not in the company's. */
function listFixed(set: FieldSet, of: ColumnOwner, isRequired = true): Column[] {
  return set.fixed.toSorted((one, other) => one.id - other.id).map((field) =>
    column(field.name, field.label, field.type, { kind: "fixed", of, field }, isRequired && field.required)
  );
}

/**
 * Adds the custom fields, in the order of their creation, before what exports have behind them. A name that
 * another column has gets `custom.` in front.
 */
function withCustom(set: FieldSet, of: ColumnOwner, others: readonly Column[]): Column[] {
  const taken = new Set(others.map(({ name }) => name));
  const custom = set.custom.toSorted((one, other) => one.seq - other.seq).map((field) => {
    const name = taken.has(makePrefix(of) + field.name) ? `custom.${field.name}` : field.name;
    return column(name, field.label, field.type, { kind: "custom", of, field });
  });
  const after = others.findIndex((each) =>
    each.source.of !== of || each === createdAt || each.source.kind === "category"
  );
  const place = after < 0 ? others.length : after;
  return [...others.slice(0, place), ...custom, ...others.slice(place)];
}

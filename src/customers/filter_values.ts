/** The values of fixed and custom fields, as filters compare them. */
import type { CustomField } from "../fields/custom_fields.ts";
import type { FixedField, Validation } from "../fields/fixed_fields.ts";
import { makePhoneKeys } from "../core/phone_numbers.ts";
import { composeCaseFold } from "../db/case_fold.ts";
import { identifier, sql } from "../db/statements.ts";
import { type Column, column, expression, type FilterField, type FilterType } from "../filters/fields.ts";
import { selectPhoneKeys } from "./phone_keys.ts";
import { textIndexes } from "./texts/texts.ts";

/** Which records are filtered. */
export type Filtered = "account" | "contact";

/** A filter field without its relation. */
type Valued = Omit<FilterField, "relation">;

export function describeFixedValue({ name, options, validation }: FixedField, owner: Filtered): Valued {
  const share = shares[name];
  if (options) {
    return {
      type: "choice",
      ...(share && { share }),
      value: column(name),
      choices: new Set(options().map(({ id }) => id)),
      labels: () => new Map(options().map(({ id, value }) => [id, value])),
    };
  }
  return {
    type: "text",
    ...(share && { share }),
    value: makeFoldedColumn(name, owner),
    ...describeWritten(validation),
    ...(name === "phone_number" && {
      equal: { value: column("phone_key"), forms: makePhoneKeys, select: selectPhoneKeys },
    }),
  };
}

/** The share of a company's records that have one value: most are in few countries, and there are few salutations. */
const shares: Readonly<Record<string, number>> = { country: 0.15, salutation: 0.15, state_region: 0.05 };

/** A text column. The row stores the folded text if it differs from that of SQLite's `lower`. */
function makeFoldedColumn(name: string, owner: Filtered): Column {
  return {
    ...expression((own) => composeCaseFold(own, name)),
    parts: { index: textIndexes[owner], column: name },
    ...(owner === "contact" && name === "last_name" && { sortKey: "last_name_key" }),
  };
}

const customTypes: Readonly<Record<CustomField["type"], FilterType>> = {
  text: "text",
  multi_line: "text",
  numeric: "number",
  date: "date",
  boolean: "boolean",
  single_choice: "choice",
  multiple_choice: "choice",
};

/** The form in which texts with this rule are stored. */
function describeWritten(validation: Validation | null): Pick<FilterField, "written"> {
  return validation === "url" || validation === "email" ? { written: validation } : {};
}

export function describeCustomValue({ seq, type, options, validation }: CustomField): Valued {
  const filtered = customTypes[type];
  const numeric = filtered === "number" || filtered === "boolean";
  const choices = new Set(options.map(({ id }) => id));
  const labels = () => new Map(options.map(({ id, value }) => [id, value]));
  return {
    type: filtered,
    ...(type === "multi_line" ? { written: "lines" } : describeWritten(validation)),
    value: {
      kind: "values",
      from: sql`custom_values v`,
      index: "sqlite_autoindex_custom_values_1",
      of: (own) => sql`v.field = ${seq} and v.owner = ${identifier(own, "seq")}`,
      sql: numeric ? sql`v.number` : sql`v.text`,
      found: {
        field: sql`v.field = ${seq}`,
        key: "owner",
        owner: "seq",
        embedded: {
          index: numeric ? "custom_values_by_number" : "custom_values_by_text",
          several: type === "multiple_choice",
        },
      },
    },
    ...(filtered === "choice" && { choices, labels, live: true }),
  };
}

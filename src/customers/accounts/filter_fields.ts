/** Filter fields of accounts, besides fixed and custom fields. */
import { column, type FilterField } from "../../filters/fields.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { accounts } from "./record.ts";

export const accountRows = {
  name: "account",
  table: "accounts",
  indexes: listIndexes(accounts),
  counts: null,
};

type Described = Omit<FilterField, "relation">;

const fields: Readonly<Record<string, Described>> = {
  b2c: { type: "boolean", value: column("b2c") },
  created_at: { type: "timestamp", value: column("created_at") },
  updated_at: { type: "timestamp", value: column("updated_at") },
};

/** Names of the fields above: `every` for all accounts, `kinds` for businesses or consumers alone (none). */
export const accountNames = { every: Object.keys(fields), kinds: [] as readonly string[] };

/**
 * Returns the field with the name (without its namespace); null for an unknown name. `kinds`: whether the
 * namespace is that of businesses or of consumers.
 */
export function accountField(name: string, kinds: boolean): Described | null {
  return !kinds && Object.hasOwn(fields, name) ? fields[name]! : null;
}
